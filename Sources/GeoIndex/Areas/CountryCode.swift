/// A country's two ISO 3166-1 letters, in two bytes.
struct CountryCode: Sendable, Hashable {
  let value: UInt16

  static let none = CountryCode(value: 0)

  init(value: UInt16) { self.value = value }

  init(_ letters: some StringProtocol) {
    let bytes = Array(letters.utf8)
    value = bytes.count == 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 0
  }

  /// Nil for none.
  var letters: String? {
    guard value != 0 else { return nil }
    return String(unsafeUninitializedCapacity: 2) {
      ($0[0], $0[1]) = (UInt8(value >> 8), UInt8(value & 0xFF))
      return 2
    }
  }
}
