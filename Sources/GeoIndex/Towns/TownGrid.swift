import CSys

/// For each cell of a quarter of a degree, and where there are many towns for each sixteenth of it, the towns that can
/// be the answer somewhere in it.
struct TownGrid: Sendable {
  /// Parts of a cell's side.
  static let parts = 4
  static let split: UInt32 = 1 << 31

  /// For each cell where its list begins, or `split` and where its parts' entries begin.
  let directory: Column<UInt32>
  /// Each list: its length, and numbers of towns. The first one is empty.
  let lists: Column<UInt32>

  /// Lets the processor begin to fetch what `list(of:)` will read.
  func fetchEntry(of cell: Lattice) { csys_prefetch(directory.values.baseAddress.map { $0 + cell.cell }) }

  /// Where in `lists` a cell's list begins. The processor begins to fetch it.
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

  /// Where in `lists` the towns of a list stand, the larger ones first.
  func towns(in list: Int) -> Range<Int> { list + 1..<list + 1 + Int(lists[list]) }

  /// Lists with other numbers for the towns, in the same order.
  static func renumbered(_ lists: [UInt32], _ number: (Int) -> UInt32) -> [UInt32] {
    var (renumbered, start) = (lists, 0)
    while start < lists.count {
      let end = start + 1 + Int(lists[start])
      for place in (start + 1)..<end { renumbered[place] = number(Int(lists[place])) }
      start = end
    }
    return renumbered
  }

  /// Whether nothing in it leads out of it or to a town that isn't there.
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
    // Lengths are checked as if they were towns, too: both are small.
    return lists.values.allSatisfy { $0 < max(towns, 1) }
  }
}
