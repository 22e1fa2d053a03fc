import Basics
import CSys

/// The towns that can be the answer in each cell of a quarter of a degree; where there are many towns, in each
/// sixteenth of the cell.
struct TownGrid: Sendable {
  /// The number of parts along a cell's side.
  static let parts = 4
  static let split: UInt32 = 1 << 31

  /// The start of each cell's list, or `split` with the start of the entries of its parts.
  let directory: Column<UInt32>
  /// The lists: each has a length, followed by town numbers. The first one is empty.
  let lists: Column<UInt32>

  /// Prefetches what `list(of:)` will read.
  func fetchEntry(of cell: Lattice) { csys_prefetch(directory.values.baseAddress.map { $0 + cell.cell }) }

  /// Prefetches what `list(of:)` will read if the cell has parts.
  func fetchPart(of cell: Lattice) {
    let entry = directory[cell.cell]
    guard entry & Self.split != 0 else { return }
    csys_prefetch(directory.values.baseAddress.map { $0 + Self.part(cell, entry) })
  }

  /// Returns the index in `directory` of a part of a cell.
  private static func part(_ cell: Lattice, _ entry: UInt32) -> Int {
    let size = Lattice.step / parts
    return Int(entry & ~split) + cell.y % Lattice.step / size * parts + cell.x % Lattice.step / size
  }

  /// Returns the index in `lists` at which a cell's list begins, and prefetches it.
  func list(of cell: Lattice) -> Int {
    var entry = directory[cell.cell]
    if entry & Self.split != 0 { entry = directory[Self.part(cell, entry)] }
    csys_prefetch(lists.values.baseAddress.map { $0 + Int(entry) })
    return Int(entry)
  }

  /// Returns the range of a list's towns in `lists`, the larger ones first.
  func towns(in list: Int) -> Range<Int> { list + 1..<list + 1 + Int(lists[list]) }

  /// Returns the lists with the towns renumbered, in the same order.
  static func renumbered(_ lists: [UInt32], _ number: (Int) -> UInt32) -> [UInt32] {
    var (renumbered, start) = (lists, 0)
    while start < lists.count {
      let end = start + 1 + Int(lists[start])
      for place in (start + 1)..<end { renumbered[place] = number(Int(lists[place])) }
      start = end
    }
    return renumbered
  }

  /// Whether all indices are valid, and all towns exist.
  func isSound(towns: Int) -> Bool {
    guard directory.count >= Lattice.rows * Lattice.columns, lists.first == 0 else { return false }
    let parts = Self.parts * Self.parts
    for (place, entry) in directory.values.enumerated() {
      if entry & Self.split != 0 {
        let start = Int(entry & ~Self.split)
        let isCell = place < Lattice.rows * Lattice.columns
        guard isCell, start >= Lattice.rows * Lattice.columns, start <= directory.count - parts else { return false }
      } else {
        guard entry < lists.count, Int(lists[Int(entry)]) < lists.count - Int(entry) else { return false }
      }
    }
    // Lengths are checked like town numbers, too: both are small.
    return lists.values.allSatisfy { $0 < max(towns, 1) }
  }
}

/// The towns of one country in one list of the grid, in a layout that compares a point with four towns at a time.
struct CandidateTowns {
  private struct Four {
    // Coordinates far from Earth, for unused lanes.
    let x = SIMD4<Float>(repeating: 9)
    let y = SIMD4<Float>(repeating: 9)
    let z = SIMD4<Float>(repeating: 9)
    let quietness = SIMD4<Float>()
    let radius = SIMD4<Float>()
    let obscurity = SIMD4<Float>()
  }

  /// The country; `none` until the towns are filled in.
  var country = CountryCode.none
  private var fours: [Four] = []
  private var numbers: [UInt32] = []

  mutating func fill(from towns: Towns, _ candidates: Range<Int>, country: CountryCode) {
    self.country = country
    fours.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    fours.append(contentsOf: repeatElement(Four(), count: (candidates.count + 3) / 4))
    let (sites, lists) = (towns.sites.values, towns.grid.lists.values)
    fours.withUnsafeMutableBytes { bytes in
      for at in candidates {
        let site = sites[Int(lists[at])]
        guard site.country == country else { continue }
        // A lane, in the order of the properties above.
        let lane = numbers.count / 4 * MemoryLayout<Four>.stride + numbers.count % 4 * 4
        bytes.storeBytes(of: site.x, toByteOffset: lane, as: Float.self)
        bytes.storeBytes(of: site.y, toByteOffset: lane + 16, as: Float.self)
        bytes.storeBytes(of: site.z, toByteOffset: lane + 32, as: Float.self)
        bytes.storeBytes(of: site.quietness, toByteOffset: lane + 48, as: Float.self)
        bytes.storeBytes(of: site.radius, toByteOffset: lane + 64, as: Float.self)
        bytes.storeBytes(of: site.obscurity, toByteOffset: lane + 80, as: Float.self)
        numbers.append(lists[at])
      }
    }
    fours.removeLast(fours.count - (numbers.count + 3) / 4)
  }

  /// Returns the same result as `Towns.nearest` for a point in the country: with the same arithmetic, and of equal
  /// towns the first.
  /// - Parameter here: The point, on the unit sphere.
  func nearest(to here: (x: Float, y: Float, z: Float)) -> Towns.Found {
    nearest(x: SIMD4(repeating: here.x), y: SIMD4(repeating: here.y), z: SIMD4(repeating: here.z))
  }

  // A separate function, because with inlining the compiler splits the vectors into scalars.
  @inline(never)
  private func nearest(x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>) -> Towns.Found {
    let scale = SIMD4(repeating: Float(Coordinate.meanRadius))
    let reach = Float(Towns.reach) / Float(Coordinate.meanRadius)
    let farthest = SIMD4(repeating: reach * reach)
    let none = SIMD4<Int32>(repeating: .max)
    var (best, nearest) = (SIMD4<Float>(repeating: .infinity), none)
    var (clearest, city) = (best, none)
    var lanes = SIMD4<Int32>(0, 1, 2, 3)
    fours.withUnsafeBufferPointer { fours in
      for four in fours {
        let (dx, dy, dz) = (four.x - x, four.y - y, four.z - z)
        let square = dx * dx + dy * dy + dz * dz
        let distance = square.squareRoot() * scale
        let score = ((distance + 300) * four.quietness).replacing(with: .infinity, where: square .> farthest)
        let isBetter = score .< best
        best.replace(with: score, where: isBetter)
        nearest.replace(with: lanes, where: isBetter)
        let doubt = ((distance + Float(Towns.middle)) * four.obscurity)
          .replacing(with: .infinity, where: distance .> four.radius)
        let isClearer = doubt .< clearest
        clearest.replace(with: doubt, where: isClearer)
        city.replace(with: lanes, where: isClearer)
        lanes &+= 4
      }
    }
    // Each lane contains its first minimum.
    func first(_ lanes: SIMD4<Int32>, _ scores: SIMD4<Float>) -> UInt32 {
      let place = Self.least(lanes.replacing(with: none, where: scores .> Self.least(scores)))
      return place == .max ? Towns.Found.none : numbers[Int(place)]
    }
    return Towns.Found(locality: first(nearest, best), city: first(city, clearest))
  }

  /// Returns the minimum; the compiler doesn't generate this from `min()`.
  private static func least<Number: Comparable>(_ lanes: SIMD4<Number>) -> Number {
    min(min(lanes.x, lanes.y), min(lanes.z, lanes.w))
  }
}
