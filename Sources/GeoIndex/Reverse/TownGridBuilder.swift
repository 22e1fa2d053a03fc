import Foundation

/// Finds out which towns can be the answer in which cells.
struct TownGridBuilder {
  /// A town as it was read, the larger ones first.
  struct Town {
    let latitude: Double
    let longitude: Double
    let site: Towns.Site
  }

  /// A rectangle of degrees.
  private struct Area {
    let south, north, west, east: Double

    /// Metres from a town at least and at most, generously.
    func distances(of town: Town) -> (least: Double, most: Double) {
      let middle = (west + east) / 2
      let off = abs((town.longitude - middle).remainder(dividingBy: 360))
      let half = (east - west) / 2
      let (top, bottom) = (
        max(abs(south), abs(north), abs(town.latitude)),
        south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north), abs(town.latitude))
      )
      let degree = GreatCircle.radius * .pi / 180
      let narrow = max(0, off - half) * max(0, cos(top * .pi / 180))
      let wide = (off + half) * cos(bottom * .pi / 180)
      let low = max(0, max(south - town.latitude, town.latitude - north))
      let high = max(abs(south - town.latitude), abs(north - town.latitude))
      return (
        (narrow * narrow + low * low).squareRoot() * degree * 0.99,
        (wide * wide + high * high).squareRoot() * degree * 1.01 + 1
      )
    }
  }

  private let towns: [Town]
  private var lists: [UInt32] = [0]
  private var directory: [UInt32]

  /// Lists longer than that are split.
  private static let many = 24

  /// What `TownGrid` has.
  static func grid(of towns: [Town]) -> (directory: [UInt32], lists: [UInt32]) {
    var builder = TownGridBuilder(towns)
    builder.fill()
    return (builder.directory, builder.lists)
  }

  private init(_ towns: [Town]) {
    self.towns = towns
    directory = Array(repeating: 0, count: Lattice.rows * Lattice.columns)
  }

  private mutating func fill() {
    let (starts, near) = townsNearCells()
    for cell in 0..<(Lattice.rows * Lattice.columns) where starts[cell] < starts[cell + 1] {
      let row = Double(cell / Lattice.columns)
      let column = Double(cell % Lattice.columns)
      let area = Area(
        south: row / 4 - 90, north: row / 4 - 89.75, west: column / 4 - 180, east: column / 4 - 179.75)
      let chosen = candidates(near[starts[cell]..<starts[cell + 1]], in: area)
      directory[cell] = chosen.count > Self.many ? split(chosen, area) : append(chosen)
    }
  }

  private mutating func split(_ chosen: [UInt32], _ area: Area) -> UInt32 {
    let start = directory.count
    let size = 0.25 / Double(TownGrid.parts)
    for row in 0..<TownGrid.parts {
      for column in 0..<TownGrid.parts {
        let (south, west) = (area.south + Double(row) * size, area.west + Double(column) * size)
        let part = Area(south: south, north: south + size, west: west, east: west + size)
        directory.append(append(candidates(chosen[...], in: part)))
      }
    }
    return TownGrid.split | UInt32(start)
  }

  private mutating func append(_ list: [UInt32]) -> UInt32 {
    guard !list.isEmpty else { return 0 }
    defer {
      lists.append(UInt32(list.count))
      lists += list
    }
    return UInt32(lists.count)
  }

  /// Those which somewhere in the area are the locality or the city.
  private func candidates(_ near: ArraySlice<UInt32>, in area: Area) -> [UInt32] {
    var (bounds, covered) = ([UInt16: Double](), Set<UInt16>())
    var measured: [(town: UInt32, least: Double, score: Double, isCity: Bool)] = []
    measured.reserveCapacity(near.count)
    for town in near {
      let (site, distances) = (towns[Int(town)].site, area.distances(of: towns[Int(town)]))
      guard distances.least <= Towns.reach else { continue }
      let country = site.country.value
      if distances.most <= Towns.reach {
        bounds[country] = min(bounds[country] ?? .infinity, (distances.most + 300) * Double(site.quietness))
      }
      // A larger one that reaches every corner hides this one.
      let isCity = distances.least <= Double(site.radius) && !covered.contains(country)
      if distances.most <= Double(site.radius) { covered.insert(country) }
      measured.append((town, distances.least, (distances.least + 300) * Double(site.quietness), isCity))
    }
    return measured.filter {
      $0.isCity || $0.score <= bounds[towns[Int($0.town)].site.country.value] ?? .infinity
    }.map(\.town)
  }

  /// For each cell the towns whose reach may touch it: where its part of the list begins, and the list.
  private func townsNearCells() -> (starts: [Int], near: [UInt32]) {
    var starts = Array(repeating: 0, count: Lattice.rows * Lattice.columns + 1)
    for town in towns { forEachCell(near: town) { starts[$0 + 1] += 1 } }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var (near, ends) = (Array(repeating: UInt32(0), count: starts[starts.count - 1]), starts)
    for (number, town) in towns.enumerated() {
      forEachCell(near: town) {
        near[ends[$0]] = UInt32(number)
        ends[$0] += 1
      }
    }
    return (starts, near)
  }

  private func forEachCell(near town: Town, _ body: (Int) -> Void) {
    let height = Towns.reach / 111_000
    let rows = (
      max(0, Int((town.latitude - height + 90) * 4)), min(Lattice.rows - 1, Int((town.latitude + height + 90) * 4))
    )
    for row in rows.0...rows.1 {
      // The cell's edge that is nearer to a pole, where degrees are narrow.
      let edge = max(abs(Double(row) / 4 - 90), abs(Double(row + 1) / 4 - 90), abs(town.latitude))
      let width = height / max(cos(edge * .pi / 180), 1e-6)
      let west = Int(((town.longitude - width + 180) * 4).rounded(.down))
      let count = min(Int(((town.longitude + width + 180) * 4).rounded(.down)) - west + 1, Lattice.columns)
      for column in west..<(west + count) {
        let turned = column % Lattice.columns
        body(row * Lattice.columns + (turned < 0 ? turned + Lattice.columns : turned))
      }
    }
  }
}
