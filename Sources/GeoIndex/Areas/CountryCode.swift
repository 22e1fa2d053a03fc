/// The two ISO 3166-1 letters of a country, in two bytes.
struct CountryCode: Sendable, Hashable {
  let value: UInt16

  static let none = CountryCode(value: 0)

  init(value: UInt16) { self.value = value }

  init(_ letters: some StringProtocol) {
    let bytes = Array(letters.utf8)
    value = bytes.count == 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 0
  }

  /// The letters; nil for `none`.
  var letters: String? {
    let (first, second) = (Int(value >> 8) - 0x41, Int(value & 0xFF) - 0x41)
    if (0..<26).contains(first), (0..<26).contains(second) { return Self.pairs[first * 26 + second] }
    return value == 0 ? nil : String(decoding: [UInt8(value >> 8), UInt8(value & 0xFF)], as: UTF8.self)
  }

  /// All pairs of letters. They are needed for every position, and are found faster than created.
  private static let pairs = (0..<676).map { (pair: UInt16) -> String in
    let letters: [UInt8] = [0x41 + UInt8(pair / 26), 0x41 + UInt8(pair % 26)]
    return String(decoding: letters, as: UTF8.self)
  }
}
