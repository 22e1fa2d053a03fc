/// What a field, or a tag that has a name, holds.
public enum TagValue: Hashable, Sendable {
  /// A text in UTF-8, without NUL.
  case text(String)
  /// Several texts, each once.
  case list([String])
  /// Whole numbers.
  case whole([Int])
  /// Fractions in lowest terms.
  case fractions([Fraction])
}

/// A field and what it says.
public struct RecordedField: Hashable, Sendable {
  /// Which field.
  public let field: PhotoField
  /// What it says.
  public let value: TagValue

  /// A field and its value.
  public init(_ field: PhotoField, _ value: TagValue) {
    self.field = field
    self.value = value
  }
}

extension RecordedField: CustomStringConvertible {
  /// The value as one would write it on the command line: `1/1000`, `2.8`, `center-weighted`.
  public var description: String {
    switch value {
    case .text(let text): return text
    case .list(let texts): return texts.joined(separator: ", ")
    case .whole(let numbers):
      return numbers.map { number in field.choices.first { $0.code == number }?.name ?? "\(number)" }
        .joined(separator: ", ")
    case .fractions(let fractions): return fractions.map { field.text(of: $0) }.joined(separator: ", ")
    }
  }
}

extension PhotoField {
  /// Fractions of a second stay such, and corrections that three decimals don't tell (thirds); else three decimals at
  /// most.
  fileprivate func text(of fraction: Fraction) -> String {
    if self == .shutter, fraction.value < 1 { return "\(fraction)" }
    if self == .exposureBias, 1_000 % fraction.denominator != 0 { return "\(fraction)" }
    if fraction.denominator == 1 { return "\(fraction.numerator)" }
    return "\((fraction.value * 1_000).rounded() / 1_000)"
  }
}
