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

  /// Returns the index in `lists` at which a cell's list begins, and prefetches it.
  func list(of cell: Lattice) -> Int {
    var entry = directory[cell.cell]
    if entry & Self.split != 0 {
      let size = Lattice.step / Self.parts
      let part = cell.y % Lattice.step / size * Self.parts + cell.x % Lattice.step / size
      entry = directory[Int(entry & ~Self.split) + part]
    }
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
