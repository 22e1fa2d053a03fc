/// An exact fraction in lowest terms, as in EXIF rationals.
public struct Fraction: Hashable, Sendable {
  /// The numerator, which carries the sign. Its magnitude is at most 2³² − 1.
  public let numerator: Int64
  /// The denominator, 1 … 2³² − 1.
  public let denominator: Int64

  /// Creates a fraction in lowest terms; nil if the denominator is not positive, or if the terms don't fit into 32 bits
  /// each.
  public init?(_ numerator: Int64, _ denominator: Int64) {
    guard denominator > 0, numerator.magnitude <= Int64.max else { return nil }
    var (a, b) = (Int64(numerator.magnitude), denominator)
    while b != 0 { (a, b) = (b, a % b) }
    let (n, d) = (numerator / a, denominator / a)
    guard n.magnitude <= UInt32.max, d <= UInt32.max else { return nil }
    (self.numerator, self.denominator) = (n, d)
  }

  /// Parses `[+-]digits[.digits]` exactly, also without digits before the point; nil for anything else.
  @inlinable package init?(decimal text: some StringProtocol) {
    let isNegative = text.first == "-"
    let digits = Array(text.utf8.dropFirst(isNegative || text.first == "+" ? 1 : 0))
    var (number, scale, isFraction) = (Int64(0), Int64(1), false)
    guard let last = digits.last, last != UInt8(ascii: "."), digits.count <= 17 else { return nil }
    for byte in digits {
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if (0x30...0x39).contains(byte) {
        number = number * 10 + Int64(byte - 0x30)
        if isFraction { scale *= 10 }
      } else {
        return nil
      }
    }
    self.init(isNegative ? -number : number, scale)
  }

  /// Returns the quotient; nil if `other` is zero or the result doesn't fit.
  package func divided(by other: Fraction) -> Fraction? {
    let (n, nOverflow) = numerator.multipliedReportingOverflow(by: other.denominator)
    let (d, dOverflow) = denominator.multipliedReportingOverflow(by: other.numerator)
    guard !nOverflow, !dOverflow, d != 0 else { return nil }
    return d < 0 ? Fraction(-n, -d) : Fraction(n, d)
  }

  /// The nearest double.
  public var value: Double { Double(numerator) / Double(denominator) }
}

extension Fraction: CustomStringConvertible {
  /// The fraction as XMP writes it: `5/2`, `30/1`.
  public var description: String { "\(numerator)/\(denominator)" }
}
