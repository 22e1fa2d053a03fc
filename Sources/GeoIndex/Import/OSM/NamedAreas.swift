import Basics

/// The areas and lines of a file with their names and kinds, in which other objects for the same place are found.
struct NamedAreas {
  private var areas: [(key: UInt64, north: Float, east: Float, radius: Float)] = []
  /// The distance in metres up to which two objects of one name and kind are the same place.
  private static let nearest = 200.0

  /// Returns a number for the name and kind of a place.
  static func key(_ place: OSMTags) -> UInt64 {
    // FNV-1a.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in place.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // A school and a bus stop of one name are different places.
    for byte in (place.kind == .own ? place.kindTag : place.kind.rawValue).utf8 {
      hash = (hash ^ UInt64(byte) ^ 0x100) &* 0x100_0000_01B3
    }
    return hash
  }

  mutating func add(_ key: UInt64, _ center: Coordinate, radius: Double) {
    areas.append((key, Float(center.latitude), Float(center.longitude), Float(radius)))
  }

  /// Prepares for `contains`.
  mutating func sort() { areas.sort { ($0.key, $0.north) < ($1.key, $1.north) } }

  /// Whether a point is in or near an area of the same name and kind.
  func contains(_ key: UInt64, _ point: Coordinate) -> Bool {
    var start = first { $0.key >= key }
    var end = start
    while end < areas.count, end - start < Self.manyOfOneName, areas[end].key == key { end += 1 }
    if end - start == Self.manyOfOneName {
      // Areas that share their name with so many are small.
      let (south, north) = (Float(point.latitude - Self.reach), Float(point.latitude + Self.reach))
      start = first { ($0.key, $0.north) >= (key, south) }
      end = first { ($0.key, $0.north) > (key, north) }
    }
    return areas[start..<max(start, end)].contains { area in
      let center = Coordinate(clampingLatitude: Double(area.north), longitude: Double(area.east))
      return center.haversineDistance(to: point) <= Double(area.radius) + Self.nearest
    }
  }

  private static let manyOfOneName = 100
  /// The degrees of latitude within which these are compared.
  private static let reach = 0.05

  /// Returns the index of the first area for which the condition is true, which then is for all that follow.
  private func first(_ isTrue: ((key: UInt64, north: Float, east: Float, radius: Float)) -> Bool) -> Int {
    var (low, high) = (0, areas.count)
    while low < high {
      let middle = (low + high) / 2
      if isTrue(areas[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The named lines of a file, of which those of one name that meet are one river or street.
struct NamedLines {
  /// The ends of the lines: a number for the name and the node.
  private var ends: [(key: UInt64, line: UInt32)] = []
  private var sizes: [Int32] = []
  private var chiefs: [Bool] = []

  mutating func add(_ key: UInt64, _ nodes: [Int64]) {
    let line = UInt32(sizes.count)
    sizes.append(Int32(nodes.count))
    for node in [nodes.first, nodes.last] {
      guard let node else { continue }
      ends.append((key ^ (UInt64(bitPattern: node) &* 0x9E37_79B9_7F4A_7C15), line))
    }
  }

  /// Finds the longest of the lines that belong together.
  mutating func join() {
    ends.sort { $0.key < $1.key }
    var parents = (0..<UInt32(sizes.count)).map { $0 }
    func root(_ line: UInt32) -> UInt32 {
      var line = line
      while parents[Int(line)] != line {
        parents[Int(line)] = parents[Int(parents[Int(line)])]
        line = parents[Int(line)]
      }
      return line
    }
    for (one, other) in zip(ends, ends.dropFirst()) where one.key == other.key {
      let (first, second) = (root(one.line), root(other.line))
      // The chief line of each group is its root.
      if sizes[Int(first)] >= sizes[Int(second)] {
        parents[Int(second)] = first
      } else {
        parents[Int(first)] = second
      }
    }
    chiefs = parents.indices.map { parents[$0] == $0 }
    ends = []
  }

  /// Whether a line, counted in the order in which they were added, is the longest of those that belong together.
  func isChief(_ line: Int) -> Bool { chiefs.indices.contains(line) ? chiefs[line] : true }
}
