/// The value of a field or a named tag.
@nonexhaustive
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

/// A field with its recorded value.
public struct RecordedField: Hashable, Sendable {
  /// The field.
  public let field: PhotoField
  /// Its value.
  public let value: TagValue

  /// Creates a field with a value.
  public init(_ field: PhotoField, _ value: TagValue) {
    self.field = field
    self.value = value
  }
}

extension RecordedField: CustomStringConvertible {
  /// The value in command-line form: `1/1000`, `2.8`, `center-weighted`.
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
  /// Returns the fraction as it is for fractions of a second, and for corrections that three decimals can't express
  /// (thirds); otherwise with at most three decimals.
  fileprivate func text(of fraction: Fraction) -> String {
    if self == .shutter, fraction.value < 1 { return "\(fraction)" }
    if self == .exposureBias, 1_000 % fraction.denominator != 0 { return "\(fraction)" }
    if fraction.denominator == 1 { return "\(fraction.numerator)" }
    return "\((fraction.value * 1_000).rounded() / 1_000)"
  }
}

/// A tag of any namespace, described by exiv2's dictionary.
public struct TagDump: Hashable, Sendable {
  /// exiv2's name: `Exif.Photo.DateTimeOriginal`, `Iptc.Application2.City`, `Xmp.dc.title`.
  public let key: String
  /// exiv2's name of the type: `Ascii`, `Rational`, `LangAlt`.
  public let type: String
  /// The meaning of the value, in English; only the length for binary values over 4 KiB.
  public let text: String
  /// The stored value as text; numbers are separated by spaces. Empty for binary values over 4 KiB.
  public let raw: String

  package init(key: String, type: String, text: String, raw: String) {
    self.key = key
    self.type = type
    self.text = text
    self.raw = raw
  }
}
