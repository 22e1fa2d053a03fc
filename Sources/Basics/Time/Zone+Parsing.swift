import Foundation

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
    if let offset = try Self.offset(text) {
      self = .fixed(offset)
    } else if let name = Name(inAnyCase: text) {
      self = .named(name)
    } else if Self.isAbbreviation(text) {
      throw ParseError("abbreviations of time zones are not accepted" + Self.question(Self.namesMeant(by: text)))
    } else {
      let names = Self.namesMeant(by: text)
      throw ParseError(
        "'\(text)' is not a time zone"
          + (names.isEmpty ? ": write for example Asia/Tokyo, +09:00 or Z" : Self.question(names)))
    }
  }

  /// Whether it is an abbreviation of a time zone: `JST`, `est`, `MST7MDT`.
  package static func isAbbreviation(_ text: String) -> Bool { ZoneAbbreviation.names[text.uppercased()] != nil }

  /// Returns the IANA names that an invalid text may mean, the most likely first, at most three.
  package static func namesMeant(by text: String) -> [String] {
    if let names = ZoneAbbreviation.names[text.uppercased()] { return names }
    let typed = Name.folded(text)
    guard typed.count > 2 else { return [] }
    let city = typed.split(separator: "/").last ?? ""
    let names = Name.all.map { key, name in
      let own = key.split(separator: "/").last ?? ""
      return (distance: min(EditDistance.between(key, typed), EditDistance.between(own, city)), name: name)
    }
    let least = min(2, city.count / 4)
    return names.filter { $0.distance <= least }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3)
      .map(\.name)
  }

  /// Returns the suggestion for an error message: `: did you mean Asia/Kolkata, Europe/Dublin or Asia/Jerusalem?`
  private static func question(_ names: [String]) -> String {
    guard let last = names.last else { return "" }
    let others = names.dropLast().joined(separator: ", ")
    return ": did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

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
      throw ParseError("'\(text)' is not an offset from UTC: write for example +09:00")
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

/// The edit distance between texts.
private enum EditDistance {
  /// Returns the number of letters that are missing, superfluous or different.
  static func between(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard abs(a.count - b.count) <= 2 else { return .max }
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let changed = diagonal + (letter == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}

/// The abbreviations of time zones, which are not standardized: `IST` is the time of India, Ireland and Israel.
enum ZoneAbbreviation {
  /// The IANA names that each abbreviation can mean.
  static let names: [String: [String]] = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      return (words[0], Array(words.dropFirst()))
    })

  private static let table = """
    JST Asia/Tokyo
    KST Asia/Seoul
    CST America/Chicago Asia/Shanghai America/Havana
    CDT America/Chicago America/Havana
    CT America/Chicago
    CST6CDT America/Chicago
    EST America/New_York America/Panama
    EDT America/New_York
    ET America/New_York
    EST5EDT America/New_York
    MST America/Denver America/Phoenix
    MDT America/Denver
    MT America/Denver
    MST7MDT America/Denver
    PST America/Los_Angeles Asia/Manila
    PDT America/Los_Angeles
    PT America/Los_Angeles
    PST8PDT America/Los_Angeles
    AKST America/Anchorage
    AKDT America/Anchorage
    HST Pacific/Honolulu
    AST America/Halifax Asia/Riyadh
    ADT America/Halifax
    NST America/St_Johns
    NDT America/St_Johns
    BRT America/Sao_Paulo
    ART America/Argentina/Buenos_Aires
    CLT America/Santiago
    CLST America/Santiago
    PET America/Lima
    COT America/Bogota
    BST Europe/London Asia/Dhaka
    WET Europe/Lisbon
    WEST Europe/Lisbon
    CET Europe/Paris Europe/Berlin Europe/Rome
    CEST Europe/Paris Europe/Berlin Europe/Rome
    MET Europe/Paris Europe/Berlin Europe/Rome
    MEZ Europe/Berlin Europe/Vienna Europe/Zurich
    MESZ Europe/Berlin Europe/Vienna Europe/Zurich
    EET Europe/Athens Europe/Helsinki Europe/Kyiv
    EEST Europe/Athens Europe/Helsinki Europe/Kyiv
    MSK Europe/Moscow
    TRT Europe/Istanbul
    IST Asia/Kolkata Europe/Dublin Asia/Jerusalem
    IDT Asia/Jerusalem
    GST Asia/Dubai
    PKT Asia/Karachi
    NPT Asia/Kathmandu
    ICT Asia/Bangkok
    WIB Asia/Jakarta
    WITA Asia/Makassar
    SGT Asia/Singapore
    HKT Asia/Hong_Kong
    PHT Asia/Manila
    AWST Australia/Perth
    ACST Australia/Adelaide Australia/Darwin
    ACDT Australia/Adelaide
    AEST Australia/Sydney Australia/Brisbane
    AEDT Australia/Sydney
    NZST Pacific/Auckland
    NZDT Pacific/Auckland
    SAST Africa/Johannesburg
    WAT Africa/Lagos
    CAT Africa/Maputo
    EAT Africa/Nairobi
    """
}
