import Foundation

/// The score of names whose keys equal that of the typed text.
struct NameFit {
  private let tables: NameTables
  private let language: WantedLanguage
  /// Whether the typed text may be a code.
  let isCode: Bool
  /// Whether the typed text has letters that not every keyboard has.
  private let isAccented: Bool
  private let typed: String
  /// The typed text with a lower-case and an upper-case first letter, as a name may begin. Empty while it is being
  /// typed, and if there are no such letters.
  private let beginnings: [[UInt8]]
  /// The typed words; empty if a comma shows that not all of them belong to the name.
  private var words = Folding.Key()
  private var folding = Folding()
  /// The first words that a name must have if the first typed word was an abbreviation: `st`, `saint`.
  private let begins: Set<String>
  /// Whether sets of languages contain the requested one; a cache.
  private var known: [UInt16: Bool] = [0: false]

  init(_ tables: NameTables, _ request: SearchRequest) {
    self.tables = tables
    language = WantedLanguage(request.language)
    typed = request.text.trimmingCharacters(in: .whitespaces).lowercased()
    isAccented = typed.utf8.contains { $0 >= 0x80 }
    beginnings =
      isAccented && !request.isCompleting
      ? [typed, typed.prefix(1).uppercased() + typed.dropFirst()].map { Array($0.utf8) } : []
    if !request.text.contains(where: { ",，、;".contains($0) }) {
      folding.fold((QueryInterpretation.withoutLeadingPostalCode(request.text) ?? request.text).utf8, into: &words)
    }
    let first = String(typed.prefix { $0.isLetter })
    begins = Spelling.isCut(first) && first.count < typed.count ? [first, Spelling.abbreviations[first] ?? first] : []
    let typed = request.text.trimmingCharacters(in: .whitespaces)
    isCode = (2...4).contains(typed.utf8.count) && typed.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Returns the score of a whole name: up to 1 (1.07 with the accents that were typed); more for a code typed in
  /// capitals.
  mutating func whole(_ alias: Int, length: Int) -> Float {
    let flags = tables.aliasFlags[alias]
    if flags & NameIndex.code != 0 {
      guard isCode else { return 0.5 }
      // Three capitals are the code of an airport or country rather than a region.
      return length == 3 ? isRegion(alias) ? 1 : 1.5 : 1.2
    }
    if flags & NameIndex.initials != 0, !isCode { return 0.5 }
    // `L.A.`; three letters are an airport's code, and its town has the same one.
    if isCode, length == 2, areCapitals(alias) { return 1 }
    // St Anton is not Stanton.
    if !begins.isEmpty, !begins.contains(firstWord(alias)) { return 0.5 }
    // Typed accents mean a name with the same accents; text without accents may mean either.
    guard isAccented else { return 1 - exonymPenalty(alias) - (isPlain(alias) ? 0 : 0.05) }
    guard tables.text(of: alias).lowercased() == typed else { return 1 - exonymPenalty(alias) }
    return 1.07 - (isOwnKey(alias) ? 0 : exonymPenalty(alias))
  }

  /// Whether a name equals the typed text word by word, and is the place's own name or its name in some language.
  mutating func isTyped(_ alias: Int) -> Bool {
    guard !words.words.isEmpty,
      tables.aliasFlags[alias] & NameIndex.own != 0 || tables.aliasLanguages[alias] != 0
    else { return false }
    var key = Folding.Key()
    folding.fold(tables.letters(of: alias), into: &key)
    return key.words == words.words
  }

  /// Whether a name begins with exactly the typed letters, including accents. Capitals within the name are ignored.
  func isBegun(_ alias: Int) -> Bool {
    guard !beginnings.isEmpty else { return false }
    let letters = tables.letters(of: alias)
    return beginnings.contains { beginning in
      letters.count > beginning.count
        && zip(letters, beginning).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && (0x61...0x7A).contains($1) }
    }
  }

  private func areCapitals(_ alias: Int) -> Bool {
    tables.letters(of: alias).allSatisfy { $0 == UInt8(ascii: ".") || (0x41...0x5A).contains($0) }
  }

  private func firstWord(_ alias: Int) -> String {
    String(tables.text(of: alias).lowercased().prefix { $0.isLetter })
  }

  private func isRegion(_ alias: Int) -> Bool {
    tables.classes[tables.place(of: alias)] == PlaceClass.region.rawValue
  }

  /// Whether a name is in another script, and not a code.
  func isForeign(_ alias: Int) -> Bool {
    tables.aliasFlags[alias] & (NameIndex.own | NameIndex.code | NameIndex.initials) == 0
      && tables.keys[tables.key(of: alias).startIndex] >= 0x80
  }

  private func isPlain(_ alias: Int) -> Bool { tables.letters(of: alias).allSatisfy { $0 < 0x80 } }

  /// Whether a name differs from the place's own only in accents.
  private func isOwnKey(_ alias: Int) -> Bool { tables.aliasFlags[alias] & NameIndex.ownKey != 0 }

  /// Returns the share of a place's importance that applies to a name: Augsburg is known worldwide, but not as Augusta.
  mutating func prominence(_ alias: Int) -> Float {
    guard tables.aliasFlags[alias] & (NameIndex.own | NameIndex.code) == 0, exonymPenalty(alias) > 0.1 else { return 1 }
    return isOwnKey(alias) ? 1 : 0.94
  }

  /// Returns the penalty for a name that isn't the place's own: small if it is a name in the requested language, larger
  /// for another language, and largest if its language isn't known.
  mutating func exonymPenalty(_ alias: Int) -> Float {
    if tables.aliasFlags[alias] & NameIndex.own != 0 { return 0 }
    let set = tables.aliasLanguages[alias]
    guard set != 0 else { return 0.16 }
    if let isWanted = known[set] { return isWanted ? 0.03 : 0.12 }
    let isWanted = language.fit(tables, tables.languageTexts[Int(set)]) > 0
    known[set] = isWanted
    return isWanted ? 0.03 : 0.12
  }
}
