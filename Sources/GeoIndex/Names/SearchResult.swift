/// A place that a search found.
public struct SearchResult: Sendable, Hashable, Identifiable {
  /// The scores of a result. The higher their sum, the earlier the result comes.
  public struct Score: Sendable, Hashable {
    /// The match between the name and the typed text: 1 for the place's own name; less for alternate names, words of a
    /// name, beginnings and misspellings; more for a code typed in capitals.
    public let match: Double
    /// The likelihood that the place is meant, all else being equal, 0...1: by population and kind of place, and
    /// slightly less for a name that is used elsewhere.
    public let importance: Double
    /// The weight of the area: 0.35 if the place lies in the country or region that was typed with the name, 0.15 if it
    /// lies in an overseas territory of it, otherwise 0.
    public let context: Double
    /// The proximity to the reference position: 0.4 there, 0.15 at 150 km, 0 far away; for features that only their
    /// neighbours know up to 0.35 more, 0.13 at 5 km.
    public let nearness: Double

    /// The sum.
    public var total: Double { match + importance + context + nearness }
  }

  /// By how much a result exceeds another; infinite if there is no other.
  struct Lead: Hashable {
    var score = Double.infinity
    var importance = Double.infinity
  }

  /// The place; its `matchedName` is the name by which it was found.
  public let place: Place
  /// The name in the requested language, if the gazetteer has it; otherwise `place.name`.
  public let name: String
  /// The name of the region, also in the requested language.
  public let admin1: String?
  /// The name of the country, also in the requested language.
  public let country: String
  /// The score.
  public let score: Score
  /// How far its name can be trusted to be what was typed.
  public internal(set) var matchKind = MatchKind.exact
  /// By how much it exceeds the next result that lies elsewhere. Known for the first result only.
  var lead = Lead()
  /// Where the place and the name are in an index; nil for a pin or a position.
  var match: IndexedName?

  /// Where it lies, in the requested language: `Tuscany, Italy`.
  public var subtitle: String {
    [admin1 == name ? nil : admin1, country == name ? nil : country].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  /// Returns the part of `place.matchedName` that equals the typed text, or the words of it; empty if it is spelled
  /// differently.
  /// - Parameter text: The text that was searched for.
  public func matchedRanges(of text: String) -> [Range<String.Index>] {
    let name = place.matchedName
    var folding = Folding()
    for reading in QueryInterpretation.all(of: text) {
      let key = folding.keyBytes(reading.name)
      guard !key.isEmpty else { continue }
      for start in name.indices where start == name.startIndex || !name[name.index(before: start)].isLetter {
        var end = start
        while end < name.endIndex {
          end = name.index(after: end)
          let part = folding.keyBytes(name[start..<end])
          if part == key { return [start..<end] }
          // A folded letter may become two.
          if part.count > key.count + 2 { break }
        }
      }
    }
    return []
  }

  /// The identifier of the place.
  public var id: Int64 { place.id }
}

/// A name of a place in an index.
struct IndexedName: Hashable {
  /// The number of the index: 0 for the gazetteer, then the imports.
  let index: Int
  let place: Int
  let alias: Int
}
