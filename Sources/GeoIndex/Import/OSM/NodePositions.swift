import Basics

/// The positions of the nodes that ways and relations of places consist of: 16 bytes for each.
struct NodePositions {
  private var ids: [Int64] = []
  private var positions: [(north: Int32, east: Int32)] = []
  /// The number of ids that are sorted and different.
  private var sorted = 0
  private let most: Int

  private static let unknown = Int32.min

  /// Creates a table of at most `most` nodes.
  init(atMost most: Int) { self.most = most }

  /// Adds nodes whose positions are needed.
  /// - Throws: `.suspiciousArchive` if there are more than a file of this size can have.
  mutating func want(_ nodes: [Int64]) throws(FileError) {
    ids += nodes
    guard ids.count > max(1 << 20, sorted * 2) else { return }
    sort()
    guard sorted <= most else {
      throw FileError(.suspiciousArchive, "the ways have more than \(most) nodes, too many for the size of the file")
    }
  }

  private mutating func sort() {
    ids.sort()
    var count = 0
    for index in ids.indices where count == 0 || ids[index] != ids[count - 1] {
      ids[count] = ids[index]
      count += 1
    }
    ids.removeLast(ids.count - count)
    sorted = count
  }

  /// Prepares for the positions.
  mutating func seal() {
    sort()
    ids = Array(ids)
    positions = Array(repeating: (Self.unknown, Self.unknown), count: ids.count)
  }

  var isEmpty: Bool { ids.isEmpty }

  /// Returns the index of a node, which is near `hint` if the nodes are visited in order; nil if it isn't needed.
  func index(of id: Int64, near hint: inout Int) -> Int? {
    var (low, high) = (0, ids.count)
    if hint < high, ids[hint] >= id {
      if ids[hint] == id { return hint }
      if hint == 0 || ids[hint - 1] < id { return nil }
      high = hint
    } else if hint < high {
      low = hint + 1
      var step = 1
      while low + step < ids.count, ids[low + step] < id {
        low += step
        step *= 2
      }
      high = min(ids.count, low + step + 1)
    }
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    hint = low
    return low < ids.count && ids[low] == id ? low : nil
  }

  mutating func set(_ index: Int, _ position: Coordinate) {
    positions[index] = (Int32((position.latitude * 1e7).rounded()), Int32((position.longitude * 1e7).rounded()))
  }

  /// Returns the position of a node; nil if the file doesn't have it.
  subscript(id: Int64) -> Coordinate? {
    var hint = ids.count
    guard let index = index(of: id, near: &hint), positions[index].north != Self.unknown else { return nil }
    return Coordinate(
      clampingLatitude: Double(positions[index].north) / 1e7, longitude: Double(positions[index].east) / 1e7)
  }
}
