import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Order of names")
struct SuffixOrderTests {
  @Test(
    "Names are sorted by bytes, then by weight, then by position, in parts of any size.", arguments: 0..<20,
    [1, 40, 2_000_000])
  func order(seed: Int, most: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let folder = try Scratch()
    let entries = try SpilledColumn<NameEntry>(in: folder.url.path(percentEncoded: false))
    var keys: [UInt8] = []
    for _ in 0..<300 {
      // Few letters and words, so that many names are equal, or begin alike for more than eight bytes.
      let words = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        ["aaaa", "aaab", "b", "京都", "york"].randomElement(using: &generator) ?? ""
      }
      let weight: Float = [0.2, 0.4].randomElement(using: &generator) ?? 0
      for word in words {
        entries.append(NameEntry(position: UInt32(keys.count), weight: weight))
        keys += word.utf8
      }
      keys.append(0)
    }
    var sorted: [NameEntry] = []
    try keys.withUnsafeBufferPointer { keys in
      try SuffixOrder.sort(entries, of: keys, in: folder.url.path(percentEncoded: false), most: most) { sorted += $0 }
    }
    func text(_ entry: NameEntry) -> ArraySlice<UInt8> { keys[Int(entry.position)...].prefix { $0 != 0 } }
    #expect(Set(sorted.map(\.position)).count == entries.count)
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      let (before, after) = (text(left), text(right))
      if before == after {
        #expect(left.weight > right.weight || left.weight == right.weight && left.position < right.position)
      } else {
        #expect(before.lexicographicallyPrecedes(after))
      }
    }
  }
}
