import GeoIndex
import MetaTag

/// The language in which the names of places that were found are shown. A search succeeds even if there are no names in
/// the wanted language; commands that write names refuse that language.
struct DisplayLanguage: Equatable {
  /// The language, as the gazetteer knows it; nil for its usual names, which are mostly English.
  let tag: String?
  /// Whether it isn't the wanted one, because that has no names.
  let isFallback: Bool

  /// The sentence about a fallback; nil if there is none.
  func warning(wanted: String?) -> String? {
    guard isFallback, let wanted else { return nil }
    return "the gazetteer has no names in the language '\(wanted.printable)'; "
      + (tag.map { "showing those in '\($0)'" } ?? "showing the usual ones")
  }
}

/// The languages that requests wanted so far: whether there are names in one takes as long as a search.
struct DisplayLanguages {
  private let index: Gazetteer
  private var known: [String: DisplayLanguage] = [:]
  private static let mostKnown = 1_000
  /// The size, in bytes, beyond which a text is not taken for a language. RFC 5646 has no tags of more than 35.
  private static let longest = 64

  init(_ index: Gazetteer) { self.index = index }

  /// Returns the wanted language; without names, the language that its tag begins with (`be@latin`: `be`); without
  /// either, none.
  mutating func callAsFunction(_ wanted: String?) throws(GeoIndexError) -> DisplayLanguage {
    guard let wanted else { return DisplayLanguage(tag: nil, isFallback: false) }
    if let language = known[wanted] { return language }
    let language = try find(wanted)
    if known.count == Self.mostKnown { known = [:] }
    known[wanted] = language
    return language
  }

  private func find(_ wanted: String) throws(GeoIndexError) -> DisplayLanguage {
    guard wanted.utf8.count <= Self.longest else { return DisplayLanguage(tag: nil, isFallback: true) }
    var tag = wanted[...]
    while !tag.isEmpty {
      if index.knows(language: String(tag)) {
        return DisplayLanguage(tag: String(tag), isFallback: tag.count < wanted.count)
      }
      tag = tag.lastIndex { "-_@.".contains($0) }.map { tag[..<$0] } ?? ""
    }
    return DisplayLanguage(tag: nil, isFallback: true)
  }
}
