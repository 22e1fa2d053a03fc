import Basics
import Foundation

/// Determines which towns can be the answer in which cells.
struct TownGridBuilder {
  /// A town as it was read; larger ones come first.
  struct Town {
    let latitude: Double
    let longitude: Double
    /// The cosine of the latitude: the relative width of a degree of longitude there.
    let width: Double
    let site: Towns.Site

    init(latitude: Double, longitude: Double, site: Towns.Site) {
      (self.latitude, self.longitude, self.site) = (latitude, longitude, site)
      width = cos(latitude * .pi / 180)
    }
  }

  /// A rectangle in degrees.
  private struct Area {
    let south, north, west, east: Double
    /// The smallest and the largest relative width of a degree of longitude.
    private let least, most: Double

    init(south: Double, north: Double, west: Double, east: Double) {
      (self.south, self.north, self.west, self.east) = (south, north, west, east)
      let edges = (cos(south * .pi / 180), cos(north * .pi / 180))
      least = max(0, min(edges.0, edges.1))
      most = south <= 0 && north >= 0 ? 1 : max(edges.0, edges.1)
    }

    /// Returns lower and upper bounds, with a margin, for the distances in metres from a town.
    func distances(of town: Town) -> (least: Double, most: Double) {
      let middle = (west + east) / 2
      // Both longitudes are from -180 to 180.
      let apart = abs(town.longitude - middle)
      let off = apart > 180 ? 360 - apart : apart
      let half = (east - west) / 2
      let degree = Coordinate.meanRadius * .pi / 180
      let narrow = max(0, off - half) * min(least, town.width)
      let wide = (off + half) * max(most, town.width)
      let low = max(0, max(south - town.latitude, town.latitude - north))
      let high = max(abs(south - town.latitude), abs(north - town.latitude))
      return (
        (narrow * narrow + low * low).squareRoot() * degree * 0.99,
        (wide * wide + high * high).squareRoot() * degree * 1.01 + 1
      )
    }
  }

  /// The best values that a town can have in an area.
  private struct Measured {
    let town: UInt32
    let country: UInt16
    let score: Double
    /// The value as the city; infinite if it can't be the city.
    let doubt: Double
  }

  private let towns: [Town]
  private var lists: [UInt32] = [0]
  private var directory: [UInt32]
  /// The best score and the least doubt that some town has everywhere in the area, indexed by country code.
  private var bounds = [(score: Double, doubt: Double)](repeating: (.infinity, .infinity), count: 1 << 16)
  private var measured: [Measured] = []

  /// The length above which lists are split.
  private static let many = 24

  /// Returns the contents of a `TownGrid`.
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

  /// Returns the towns that are the locality or the city somewhere in the area.
  private mutating func candidates(_ near: ArraySlice<UInt32>, in area: Area) -> [UInt32] {
    measured.removeAll(keepingCapacity: true)
    for number in near {
      let town = towns[Int(number)]
      let (least, most) = area.distances(of: town)
      guard least <= Towns.reach else { continue }
      let (country, radius) = (Int(town.site.country.value), Double(town.site.radius))
      func score(_ distance: Double) -> Double { (distance + 300) * Double(town.site.quietness) }
      func doubt(_ distance: Double) -> Double {
        distance <= radius ? (distance + Towns.middle) * Double(town.site.obscurity) : .infinity
      }
      if most <= Towns.reach { bounds[country].score = min(bounds[country].score, score(most)) }
      bounds[country].doubt = min(bounds[country].doubt, doubt(most))
      measured.append(
        Measured(town: number, country: town.site.country.value, score: score(least), doubt: doubt(least)))
    }
    var chosen: [UInt32] = []
    for town in measured {
      let bound = bounds[Int(town.country)]
      let isCity = town.doubt < .infinity && town.doubt <= bound.doubt
      if isCity || town.score <= bound.score { chosen.append(town.town) }
    }
    for town in measured { bounds[Int(town.country)] = (.infinity, .infinity) }
    return chosen
  }

  /// Returns, for each cell, the towns whose reach may touch it: the start of its part of the list, and the list.
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
      // Use the edge of the cell that is closer to a pole, where degrees are narrower.
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
