extension Double {
  /// Reads an XMP number: a rational (`25/2`), or a decimal number with or without sign.
  package init?(xmp text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let numerator = parts.first.flatMap({ Double(plain: $0) }) else { return nil }
    guard parts.count == 2 else {
      self = numerator
      return
    }
    guard let denominator = Double(plain: parts[1]), denominator != 0 else { return nil }
    self = numerator / denominator
  }

  /// Reads only `[+-]digits[.digits]`: no `inf`, no `0x1p3`, no exponent.
  private init?(plain text: some StringProtocol) {
    let digits = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+") ? 1 : 0
    guard text.utf8.count <= 40, text.utf8.count > digits,
      text.utf8.dropFirst(digits).allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    self.init(String(text))
  }

  /// The number as a rational with the smallest terms that are exact to a millionth: 12.5 is `25/2`. Nil when it is
  /// negative or larger than EXIF's rationals.
  var xmpRational: String? {
    guard self >= 0, self <= Swift.Double(UInt32.max) else { return nil }
    var (numerator, denominator) = (UInt64(0), UInt64(1))
    while true {
      let scaled = (self * Swift.Double(denominator)).rounded()
      numerator = UInt64(scaled)
      if denominator == 1_000_000 || abs(scaled / Swift.Double(denominator) - self) < 1e-9 { break }
      denominator *= 10
    }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    return "\(numerator / a)/\(denominator / a)"
  }

  /// Reads a GPSCoordinate of XMP: `33,27.40734072S`, `33,27,24.4S`. Also accepts decimal degrees, which some write
  /// instead, with a letter, a sign, or `reference`, a letter from a separate property.
  package init?(xmpAngle text: String, positive: Character, negative: Character, reference: String?) {
    var number = text[...]
    var letter = reference?.uppercased().first
    if let last = text.last, last.isLetter {
      letter = last.uppercased().first
      number = number.dropLast().trimmingBlanks
    }
    guard letter == nil || letter == positive || letter == negative else { return nil }
    let parts = number.split(separator: ",", omittingEmptySubsequences: false).map { Double(plain: $0.trimmingBlanks) }
    guard parts.count <= 3, let first = parts.first, let degrees = first else { return nil }
    guard parts.count == 1 || letter != nil, letter == nil || number.first?.isNumber == true else { return nil }
    var sum = degrees
    for (part, scale) in zip(parts.dropFirst(), [60.0, 3_600]) {
      guard let part, part >= 0, part < 60 || scale == 3_600 && part == 60 else { return nil }
      sum += part / scale
    }
    self = letter == negative ? -sum : sum
  }

  /// Returns the angle in XMP's form with up to eight decimals of a minute: `33,27.40734072S`.
  func xmpAngle(positive: Character, negative: Character) -> String {
    // In hundred-millionths of a minute, so that rounding never gives sixty minutes.
    let units = UInt64((abs(self) * 6e9).rounded())
    var decimals = Substring((units % 100_000_000).padded(8))
    while decimals.utf8.count > 1, decimals.last == "0" { decimals.removeLast() }
    let letter = self < 0 ? negative : positive
    return "\(units / 6_000_000_000),\(units / 100_000_000 % 60).\(decimals)\(letter)"
  }
}
