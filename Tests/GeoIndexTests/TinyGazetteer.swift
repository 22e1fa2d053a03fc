import Foundation

/// A gazetteer file of three places that tests can damage.
struct TinyGazetteer {
  var first = "metatag gazetteer 4 0123456789abcdef 3\n"
  var sections: [[UInt8]] = [
    text("JP\tJapan\nFR\tFrance\n"), text("FR.11\tÎle-de-France\nJP.22\tKyoto\n"),
    text("Asia/Tokyo\nEurope/Paris\n"),
    [0, 2, 0],  // region: Paris in 0, Kyoto and Uji in 1
    numbers(10, 10, 10), numbers(4_885_341, -1_383_234, -10_000), numbers(234_880, 13_340_505, 5_000),
    [2, 1, 0],  // zone: 1, 0, 0
    numbers(2_138_551, 1_463_723, 189_609), [2, 0, 0],
    [0, 0, 0], [0, 0, 0],  // importance, radius
    text("Paris\nKyoto\nUji\n"), text("Lutetia\nKioto\n\n"),
    text("\n京都\t京都市\n宇治\n"),
  ]

  var bytes: [UInt8] { Array(first.utf8) + sections.flatMap(Self.packed) }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Zigzag LEB128.
  static func numbers(_ values: Int...) -> [UInt8] {
    values.flatMap { value in
      var (rest, bytes) = ((value << 1) ^ (value >> 63), [UInt8]())
      while rest > 0x7F {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
  }

  /// A zlib stream of one stored block (RFC 1950, RFC 1951 3.2.4), preceded by its lengths.
  static func packed(_ section: [UInt8]) -> [UInt8] {
    let count = UInt16(section.count)
    let (a, b) = section.reduce((UInt32(1), UInt32(0))) { sum, byte in
      let a = (sum.0 + UInt32(byte)) % 65_521
      return (a, (sum.1 + a) % 65_521)
    }
    let stream =
      [0x78, 0x01, 0x01] + little(count) + little(~count) + section + little(((b << 16) | a).byteSwapped)
    return little(UInt32(stream.count)) + little(UInt32(section.count)) + stream
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }
}
