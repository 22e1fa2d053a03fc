/// A dictionary that is always encoded as the same text: as a list of pairs in the order of the keys.
struct SortedPairs<Key: Hashable & Comparable & Codable, Value: Codable>: Codable {
  private struct Pair: Codable {
    let key: Key
    let value: Value
  }

  let dictionary: [Key: Value]

  init(_ dictionary: [Key: Value]) { self.dictionary = dictionary }

  init(from decoder: any Decoder) throws {
    let pairs = try [Pair](from: decoder)
    dictionary = Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
  }

  func encode(to encoder: any Encoder) throws {
    try dictionary.sorted { $0.key < $1.key }.map { Pair(key: $0.key, value: $0.value) }.encode(to: encoder)
  }
}

extension SortedPairs: Sendable where Key: Sendable, Value: Sendable {}
