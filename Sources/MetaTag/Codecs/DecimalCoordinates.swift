/// Coordinates as decimal numbers in text.
enum DecimalCoordinates {
  /// Of a coordinate, in degrees: some 50 metres.
  static let tolerance = 5e-4
  private static let fewestDecimals = 4
  private static let longest = 24

  /// Numbers in `bytes` with so many decimals that they tell a coordinate, that are one of `values` (degrees, without a
  /// sign), as they are written.
  static func numbers(in bytes: Bytes, near values: some Collection<Double>) -> [String] {
    guard !values.isEmpty else { return [] }
    return bytes.withUnsafeBytes { bytes in
      var found: [String] = []
      var at = 0
      while at < bytes.count {
        guard bytes[at] == UInt8(ascii: ".") else {
          at += 1
          continue
        }
        var (start, end) = (at, at + 1)
        while start > 0, isDigit(bytes[start - 1]), at - start < 4 { start -= 1 }
        while end < bytes.count, isDigit(bytes[end]), end - at < longest { end += 1 }
        if start < at, end - at > fewestDecimals {
          let text = String(decoding: bytes[start..<end], as: UTF8.self)
          if let number = Double(text), values.contains(where: { abs($0 - number) < tolerance }) { found.append(text) }
        }
        at = end
      }
      return found
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
