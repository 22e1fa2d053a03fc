extension CaptureTime {
  /// Parses `2024-05-23T18:38:41.601+09:00`. A blank can replace the `T`, and colons the hyphens of the date, as in
  /// EXIF. The seconds (then 0), the fraction and the offset are optional.
  ///
  /// - Throws: `ParseError` for anything else, and for a day or time that doesn't exist.
  public init(parsing text: String) throws(ParseError) {
    var bytes = Array(text.trimmed.utf8)
    guard bytes.count >= 16 else {
      throw ParseError("'\(text)' is not a date with a time of day: write for example 2024-05-23T18:38:41")
    }
    for index in [4, 7] where bytes[index] == UInt8(ascii: ":") { bytes[index] = UInt8(ascii: "-") }
    if bytes.count == 16 || bytes[16] != UInt8(ascii: ":") { bytes.insert(contentsOf: ":00".utf8, at: 16) }
    guard let (civil, nanoseconds, seconds) = PlainText.dateTime(bytes, bytes.indices) else {
      throw ParseError("'\(text)' is not a date and time that exists: write for example 2024-05-23T18:38:41+09:00")
    }
    // Keep as many digits as were written: `.50` stays `.50`.
    let digits = bytes.dropFirst(20).prefix { (0x30...0x39).contains($0) }.count
    let hasFraction = bytes.count > 19 && (bytes[19] == UInt8(ascii: ".") || bytes[19] == UInt8(ascii: ","))
    self.init(
      civil, fraction: hasFraction ? SecondFraction(nanoseconds: nanoseconds, minimumDigits: min(digits, 9)) : nil,
      offset: seconds.flatMap { UTCOffset(seconds: $0) })
  }
}
