import Foundation

/// Parsing of time zones that users write.
extension Zone {
  /// Parses an offset from UTC or an IANA name, in upper or lower case.
  ///
  /// Offsets are `+09:00`, `-03`, `+9`, `UTC+2`, `GMT+05:30`, `Z`, `UTC` and `GMT`, from -12:00 to +14:00. Names
  /// contain a slash: `Asia/Tokyo`. `Etc/GMT+2` is such a name, and means what the database says: two hours *behind*
  /// UTC. Names without a slash are abbreviations (`EST`, `CET`, `MST7MDT`) or old names of countries, and aren't
  /// accepted.
  ///
  /// - Throws: `ParseError` for anything else, with suggested names.
  public init(parsing text: String) throws(ParseError) {
    let text = text.trimmed.replacing("\u{2212}", with: "-")
    if let zone = try Self.known(text) {
      self = zone
    } else if Self.isAbbreviation(text) {
      throw ParseError(
        "abbreviations of time zones are not accepted", remedy: .didYouMean(Self.namesMeant(by: text)))
    } else {
      let names = Self.namesMeant(by: text)
      throw ParseError(
        "'\(text)' is not a time zone",
        remedy: names.isEmpty ? .writeLike("Asia/Tokyo", or: ["+09:00", "Z"]) : .didYouMean(names))
    }
  }

  /// Parses what `init(parsing:)` accepts; nil for anything else. That takes no search for names that may be meant, which
  /// is slow for thousands of texts.
  package init?(known text: String) {
    guard let zone = try? Self.known(text.trimmed.replacing("\u{2212}", with: "-")) else { return nil }
    self = zone
  }

  private static func known(_ text: String) throws(ParseError) -> Zone? {
    if let offset = try offset(text) { return .fixed(offset) }
    return Name(inAnyCase: text).map { .named($0) }
  }

  /// Whether it is an abbreviation of a time zone: `JST`, `est`, `MST7MDT`.
  package static func isAbbreviation(_ text: String) -> Bool { ZoneAbbreviation.names[text.uppercased()] != nil }

  /// Returns the IANA names that an invalid text may mean, the most likely first, at most three.
  package static func namesMeant(by text: String) -> [String] {
    if let names = ZoneAbbreviation.names[text.uppercased()] { return names }
    let typed = Name.folded(text)
    guard (3...longestName).contains(typed.utf8.count) else { return [] }
    let city = typed.split(separator: "/").last ?? ""
    let names = Name.all.map { key, name in
      let own = key.split(separator: "/").last ?? ""
      return (distance: min(EditDistance.between(key, typed), EditDistance.between(own, city)), name: name)
    }
    let least = min(2, city.count / 4)
    return names.filter { $0.distance <= least }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3)
      .map(\.name)
  }

  /// More bytes than the longest name has, with a few errors.
  private static let longestName = 40

  /// Parses an offset; nil if the text isn't one.
  private static func offset(_ text: String) throws(ParseError) -> UTCOffset? {
    var rest = Substring(text)
    if ["UTC", "GMT"].contains(text.prefix(3).uppercased()) {
      rest = text.dropFirst(3)
      while rest.first == " " { rest.removeFirst() }
      if rest.isEmpty { return .utc }
    }
    if rest.uppercased() == "Z", rest.count == text.count { return .utc }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let hours = rest.dropFirst().prefix { $0 != ":" }
    let padded = hours.count == 1 ? "\(sign)0\(rest.dropFirst())" : String(rest)
    guard let offset = UTCOffset(padded) else {
      throw ParseError("'\(text)' is not an offset from UTC", remedy: .writeLike("+09:00"))
    }
    guard (-12 * 3_600...14 * 3_600).contains(offset.seconds) else {
      throw ParseError("'\(text)' is out of range: time zones are from -12:00 to +14:00")
    }
    return offset
  }
}

extension Zone.Name {
  /// Finds a name regardless of case: `asia/tokyo`, `America/New York`.
  fileprivate init?(inAnyCase text: String) {
    guard text.contains("/") else { return nil }
    // Usually the name is exact, and the table isn't needed.
    if let name = Self(text) {
      self = name
      return
    }
    let folded = Self.folded(text)
    // Foundation doesn't list old names (Asia/Calcutta); they are capitalized like all others.
    let capitalized = folded.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.split(separator: "_", omittingEmptySubsequences: false).map { $0.prefix(1).uppercased() + $0.dropFirst() }
        .joined(separator: "_")
    }.joined(separator: "/")
    let spellings = [
      Self.all[folded] ?? "", capitalized,
      folded.hasPrefix("etc/") ? "Etc/\(text.dropFirst(4).uppercased())" : "",
    ]
    guard let name = spellings.lazy.filter({ !$0.isEmpty }).compactMap({ Self($0) }).first else { return nil }
    self = name
  }

  /// Returns the text in lower case, with underscores.
  fileprivate static func folded(_ text: String) -> String { text.lowercased().replacing(" ", with: "_") }

  /// The names that Foundation lists, keyed by their lower-case form.
  fileprivate static let all = Dictionary(
    TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.map { (folded($0), $0) },
    uniquingKeysWith: { a, _ in a })
}
