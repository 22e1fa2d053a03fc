import Testing

@testable import GeoIndex

@Suite("Order of names")
struct SuffixOrderTests {
  @Test("Names are sorted by bytes, then by weight, then by position.", arguments: 0..<20)
  func order(seed: Int) {
    var columns = NameColumns()
    var generator = SystemRandomNumberGenerator()
    var folding = Folding()
    for _ in 0..<300 {
      columns.addPlace(
        latitude: 0, longitude: 0, region: 0, county: NameIndex.noCounty, kind: .city,
        importance: [0.2, 0.4].randomElement() ?? 0, radius: 0)
      // Few letters and words, so that many names are equal, or begin alike for more than eight bytes.
      let words = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        ["aaaa", "aaab", "b", "京都", "york"].randomElement(using: &generator) ?? ""
      }
      var key = Folding.Key()
      folding.fold(words.joined(separator: " ").utf8, into: &key)
      columns.addAlias(key: key, name: [], language: 0, flags: 0)
    }
    func text(_ number: UInt32) -> ArraySlice<UInt8> {
      columns.keys[Int(columns.entryPositions[Int(number)])...].prefix { $0 != 0 }
    }
    let sorted = SuffixOrder.sorted(columns)
    #expect(Set(sorted).count == columns.entryPositions.count)
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      let (before, after) = (text(left), text(right))
      let (heavy, light) = (columns.entryWeights[Int(left)], columns.entryWeights[Int(right)])
      if before == after {
        #expect(heavy > light || heavy == light && left < right)
      } else {
        #expect(before.lexicographicallyPrecedes(after))
      }
    }
  }
}
