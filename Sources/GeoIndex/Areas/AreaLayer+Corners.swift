import Basics

extension AreaLayer {
  /// Calls `each` with the corners of all lines that have one of the areas on a side.
  func forEachCorner(of wanted: Set<UInt16>, _ each: (Coordinate) -> Void) {
    guard !wanted.isEmpty else { return }
    let (width, scale) = (Lattice.columns >> shift, Double(1 << shift) / 1e5)
    words.withUnsafeBufferPointer { words in
      for (cell, record) in cells.enumerated() {
        let first = Int(record) + 1
        let end = first + Int(words[Int(record)] & 0xFF)
        var bits: UInt64 = 0
        for at in first..<end where wanted.contains(words[at]) { bits |= 1 << UInt64(at - first) }
        guard bits != 0 else { continue }
        let (west, south) = (Double(cell % width * Lattice.step), Double(cell / width * Lattice.step))
        var at = end + 1
        for _ in 0..<words[end] {
          let next = at + 2 + 2 * Int(words[at + 1])
          if Self.sides(words[at]) & bits != 0 {
            for corner in stride(from: at + 2, to: next, by: 2) {
              let (x, y) = (west + Double(words[corner]), south + Double(words[corner + 1]))
              each(Coordinate(clampingLatitude: y * scale - 90, longitude: x * scale - 180))
            }
          }
          at = next
        }
      }
    }
  }
}
