/// A recorded property of a photo's author, content or camera, apart from place and time. Each is an EXIF tag (CIPA
/// DC-008 3.0), with copies in XMP and IPTC IIM as defined by the Metadata Working Group; but titles and keywords, for
/// which EXIF has no tag, are XMP properties.
@nonexhaustive
public enum PhotoField: String, Hashable, Sendable, CaseIterable {
  /// Title (`dc:title`, IPTC 2:05).
  case title
  /// Keywords (`dc:subject`, IPTC 2:25).
  case keywords
  /// Description of the content (ImageDescription, `dc:description`, IPTC 2:120).
  case description
  /// Authors, separated by semicolons (Artist, `dc:creator`, IPTC 2:80).
  case artist
  /// Copyright notice (Copyright, `dc:rights`, IPTC 2:116).
  case copyright
  /// Stars, 0 to 5 (Rating, `xmp:Rating`).
  case rating
  /// Maker of the camera.
  case make
  /// Model of the camera.
  case model
  /// Maker of the lens.
  case lensMake
  /// Model of the lens.
  case lensModel
  /// F-number.
  case aperture
  /// Exposure time in seconds.
  case shutter
  /// Sensitivity (ISO 12232). Values above 65535, which EXIF's tag can't hold, are in RecommendedExposureIndex.
  case iso
  /// Focal length in millimetres.
  case focalLength
  /// Exposure correction in EV steps.
  case exposureBias
  /// Focal length in millimetres with the same angle of view on 35 mm film.
  case focalLength35mm
  /// Exposure program, which chose aperture and time.
  case program
  /// Metering mode.
  case metering
  /// White balance: automatic or manual.
  case whiteBalance
  /// Whether the flash fired, and why.
  case flash

  /// The EXIF tag that holds the field; nil if its home is XMP.
  public var tag: EXIFTag? {
    switch self {
    case .title, .keywords: nil
    case .description: .imageDescription
    case .artist: .artist
    case .copyright: .copyright
    case .rating: .rating
    case .make: .make
    case .model: .model
    case .lensMake: .lensMake
    case .lensModel: .lensModel
    case .aperture: .fNumber
    case .shutter: .exposureTime
    case .iso: .isoSpeedRatings
    case .focalLength: .focalLength
    case .exposureBias: .exposureBiasValue
    case .focalLength35mm: .focalLengthIn35mmFilm
    case .program: .exposureProgram
    case .metering: .meteringMode
    case .whiteBalance: .whiteBalance
    case .flash: .flash
    }
  }

  /// Returns the field of this tag; nil if the tag isn't a field.
  public init?(_ tag: EXIFTag) {
    guard let field = PhotoField.allCases.first(where: { $0.tag == tag }) else { return nil }
    self = field
  }

  /// The named values; empty if the field has no list of values.
  public var choices: [(name: String, code: Int)] {
    switch self {
    case .program:
      [
        ("manual", 1), ("auto", 2), ("aperture-priority", 3), ("shutter-priority", 4), ("creative", 5), ("action", 6),
        ("portrait", 7), ("landscape", 8),
      ]
    case .metering:
      [
        ("average", 1), ("center-weighted", 2), ("spot", 3), ("multi-spot", 4), ("pattern", 5), ("partial", 6),
        ("other", 255),
      ]
    case .whiteBalance: [("auto", 0), ("manual", 1)]
    case .flash:
      [
        ("none", 0x20), ("no", 0x00), ("fired", 0x01), ("on", 0x09), ("off", 0x10), ("auto-no", 0x18),
        ("auto-fired", 0x19),
      ]
    default: []
    }
  }
}

extension PhotoField {
  /// Parses `text` as a value of the field; an empty text removes the field.
  ///
  /// Numbers are decimal, or fractions: `1/125` for exposure times, `-1/3` for corrections. Full-width digits count as
  /// digits. Sensitivity is from 1 to 2³² − 1. `choices` lists the named values. Keywords are separated by commas.
  /// - Throws: `ParseError` for anything else, for zero where it has no meaning, and for texts longer than 64
  ///   characters (200 for a copyright, a title or a keyword, 2000 for a description).
  public func change(parsing text: String) throws(ParseError) -> Change<TagValue> {
    let text = text.trimmed
    guard !text.isEmpty else { return .remove }
    switch self {
    case .artist:
      let names = text.split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
      guard !names.isEmpty else { throw ParseError("'\(text)' contains no name", remedy: .giveEmptyValue) }
      return .set(.text(try self.text(names.joined(separator: "; "), longest: 64)))
    case .make, .model, .lensMake, .lensModel: return .set(.text(try self.text(text, longest: 64)))
    case .keywords:
      let words = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
      var keywords: [String] = []
      for word in words where !keywords.contains(word) { keywords.append(try PhotoField.keyword(parsing: word)) }
      guard !keywords.isEmpty else { throw ParseError("'\(text)' has no keyword", remedy: .giveEmptyValue) }
      return .set(.list(keywords))
    case .title, .copyright: return .set(.text(try self.text(text, longest: 200)))
    case .description: return .set(.text(try self.text(text, longest: 2_000)))
    case .iso: return .set(.whole([try whole(text, 1...Int(UInt32.max))]))
    case .rating: return .set(.whole([try whole(text, 0...5)]))
    case .focalLength35mm: return .set(.whole([try whole(text, 1...Int(UInt16.max))]))
    case .aperture: return .set(.fractions([try positive(text, longest: 10, .writeLike("2.8"))]))
    case .focalLength: return .set(.fractions([try positive(text, longest: 10, .writeLike("23.5"))]))
    case .shutter: return .set(.fractions([try quotient(text)]))
    case .exposureBias: return .set(.fractions([try bias(text)]))
    case .program, .metering, .whiteBalance, .flash: return .set(.whole([try choice(text)]))
    }
  }

  /// Parses one keyword, which may contain commas.
  /// - Throws: `ParseError` when it is empty, longer than 200 characters, or has control characters.
  public static func keyword(parsing text: String) throws(ParseError) -> String {
    let text = text.trimmed
    guard !text.isEmpty else { throw ParseError("a keyword is empty") }
    return try PhotoField.keywords.text(text, longest: 200)
  }

  private func text(_ text: String, longest: Int) throws(ParseError) -> String {
    guard text.count <= longest else {
      throw ParseError("'\(text.prefix(20))…' has \(text.count) characters; the limit is \(longest)")
    }
    return try text.requirePrintable(multiline: self == .description)
  }

  private func number(_ text: String, longest: Int) throws(ParseError) -> String {
    guard text.count <= longest else { throw ParseError("the number '\(text.prefix(20))…' is too long") }
    return try text.withASCIIDigits()
  }

  private func whole(_ text: String, _ range: ClosedRange<Int>) throws(ParseError) -> Int {
    let digits = try number(text, longest: 10)
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
      throw ParseError("'\(text)' is not a whole number", remedy: .writeLike("400"))
    }
    guard range.contains(number) else {
      throw ParseError("\(number) is out of range (\(range.lowerBound) to \(range.upperBound))")
    }
    return number
  }

  private func positive(_ text: String, longest: Int, _ remedy: Remedy) throws(ParseError) -> Fraction {
    let digits = try number(text, longest: longest)
    guard digits.first?.isNumber == true || digits.first == ".", let fraction = Fraction(decimal: digits) else {
      throw ParseError("'\(text)' is not a number", remedy: remedy)
    }
    guard fraction.numerator > 0 else {
      throw ParseError("'\(text)' is not a valid value: it must be greater than 0", remedy: .giveEmptyValue)
    }
    return fraction
  }

  private func quotient(_ text: String) throws(ParseError) -> Fraction {
    let remedy = Remedy.writeLike("1/125", or: ["0.5"])
    let parts = try number(text, longest: 15).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, !parts.contains("") else {
      throw ParseError("'\(text)' is not an exposure time", remedy: remedy)
    }
    let numerator = try positive(String(parts[0]), longest: 15, remedy)
    guard parts.count == 2 else { return numerator }
    guard let quotient = numerator.divided(by: try positive(String(parts[1]), longest: 15, remedy)) else {
      throw ParseError("'\(text)' has more digits than EXIF can hold")
    }
    return quotient
  }

  private func bias(_ text: String) throws(ParseError) -> Fraction {
    let parts = try number(text, longest: 22).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let correction = Fraction(decimal: parts[0]), parts[0].contains(where: \.isNumber),
      let divisor = parts.count == 1 ? Fraction(1, 1) : Fraction(decimal: parts[1]),
      parts.count == 1 || parts[1].first?.isNumber == true, let fraction = correction.divided(by: divisor),
      fraction.numerator.magnitude <= Int32.max, fraction.denominator <= Int32.max
    else {
      throw ParseError("'\(text)' is not an exposure compensation", remedy: .writeLike("+1.5", or: ["-0.7", "-1/3"]))
    }
    return fraction
  }

  private func choice(_ text: String) throws(ParseError) -> Int {
    if let choice = choices.first(where: { $0.name == text.lowercased() }) { return choice.code }
    let words = choices.map(\.name).joined(separator: ", ")
    guard let code = Int(try text.withASCIIDigits()), (0...255).contains(code), !text.contains("+") else {
      throw ParseError("'\(text)' is not one of: \(words)")
    }
    return code
  }
}

extension String {
  /// Returns the text unchanged if it is printable.
  /// - Throws: `ParseError` for characters that end or garble a text: NUL and other controls, and the two that XML
  ///   doesn't allow (XML 1.0, 2.2).
  package func requirePrintable(multiline: Bool) throws(ParseError) -> String {
    for scalar in unicodeScalars
    where scalar.properties.generalCategory == .control || scalar == "\u{FFFE}" || scalar == "\u{FFFF}" {
      if multiline, scalar == "\n" || scalar == "\t" { continue }
      throw ParseError("the text contains the control character \(scalar.code)")
    }
    return self
  }

  /// Replaces full-width characters with their ASCII forms.
  /// - Throws: `ParseError` for digits of other scripts, naming the character.
  func withASCIIDigits() throws(ParseError) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if (0xFF01...0xFF5E).contains(scalar.value), let plain = Unicode.Scalar(scalar.value - 0xFEE0) {
        text.unicodeScalars.append(plain)
      } else if !scalar.isASCII, scalar.properties.numericType != nil {
        throw ParseError("'\(scalar)' (\(scalar.code)) is not one of the digits 0 to 9")
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The character's code point: `U+0664`.
  fileprivate var code: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension MetadataEdit {
  /// Replaces the keywords to add with the complete list: those of every copy in `metadata` plus the added ones. No
  /// keyword is lost.
  package func addingKeywords(to metadata: Metadata) -> MetadataEdit {
    guard !addedKeywords.isEmpty else { return self }
    var edit = self
    edit.addedKeywords = []
    edit.fields[.keywords] = .set(.list(metadata.keywords.adding(addedKeywords)))
    return edit
  }
}

extension Metadata {
  /// The bytes that IIM allows per keyword.
  private static let longestInIIM = 64

  /// The keywords of all copies, each once. A keyword that IIM had to cut counts as the full one.
  public var keywords: [String] {
    let copies = fields.filter { $0.value.field == .keywords }
    var all: [String] = []
    let isHome = { (copy: Sourced<RecordedField>) in [.xmp, .sidecar].contains(copy.namespace) }
    for copy in copies.filter(isHome) + copies.filter({ !isHome($0) }) {
      guard case .list(let texts) = copy.value.value else { continue }
      all = all.adding(
        texts.filter { text in
          // IIM cuts before a character that doesn't fit; a character may have four bytes or more.
          !(copy.namespace == .iptc && text.utf8.count > Metadata.longestInIIM - 16
            && all.contains { $0.utf8.count > Metadata.longestInIIM && $0.hasPrefix(text) })
        })
    }
    return all
  }

  /// Whether the preferred keywords, those in XMP, include all of these.
  package func hasKeywords(_ wanted: [String]) -> Bool {
    fields.contains { copy in
      guard [.xmp, .sidecar].contains(copy.namespace), case .list(let texts) = copy.value.value else { return false }
      return wanted.allSatisfy(texts.contains)
    }
  }
}

extension [String] {
  /// Appends those of `others` that are missing.
  package func adding(_ others: [String]) -> [String] {
    others.reduce(into: self) { all, text in if !all.contains(text) { all.append(text) } }
  }
}
