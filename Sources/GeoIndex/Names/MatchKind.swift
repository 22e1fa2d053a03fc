import Basics

/// How far the results of a search can be trusted to be what was meant.
///
/// The limits are calibrated on 25,904 queries that others wrote (`Scripts/score-geo`): of the first results that are
/// called exact or likely, 95 % are right.
@nonexhaustive
public enum MatchKind: String, Sendable, Hashable {
  /// A place has the name that was typed, in its own language or in the requested one, or is of the kind that was typed.
  case exact
  /// A place has the name in another language, or its name continues or nearly equals the text, and no other place comes
  /// close.
  case likely
  /// Names that are similar, or contain a part of what was typed. Of all results together: also several places that may
  /// be meant, of which none is clearly more important.
  case similar
  /// No result.
  case none

  /// Classifies results in the order of `Gazetteer.search`, by the first.
  /// - Parameters:
  ///   - results: The results.
  ///   - isCompleting: Whether the text is being typed: it may then become the name of several places.
  public init(of results: [SearchResult], isCompleting: Bool = false) {
    guard let first = results.first else {
      self = .none
      return
    }
    let isClear: Bool =
      switch first.matchKind {
      case _ where isCompleting: true
      case .exact: first.lead.score >= Self.leastOfNamesakes || first.score.importance > Self.wellKnown
      case .likely where first.isFamous: true
      case .likely where first.score.match >= Self.whole: first.lead.score >= Self.leastOfNames
      default:
        first.lead.score >= Self.leastOfOthers
          || first.lead.score >= Self.leastOfCities && first.score.match >= 0.5 && first.score.importance >= 0.75
      }
    self = isClear ? first.matchKind : .similar
  }

  /// Classifies one result.
  /// - Parameter likeness: The comparison with the typed text.
  init(_ result: SearchResult, _ likeness: NameLikeness) {
    let (match, place) = (result.score.match, result.place)
    if match >= Self.own {
      self = .exact
    } else if match >= Self.whole {
      self = .likely
    } else if match >= Self.least, likeness.fits(result),
      place.importance >= Self.famous || place.kind.group != .sight && place.kind.group != .nature
        || likeness.share(of: place.matchedName) >= 0.5
    {
      self = .likely
    } else {
      self = .similar
    }
  }

  /// The minimum score of a place's own name, or its name in the requested language.
  private static let own = 0.949
  /// The minimum score of a whole name in any language.
  private static let whole = 0.84
  /// The minimum score of a name that only resembles the text.
  private static let least = 0.35
  /// The importance of a feature that people call by one word of its name.
  private static let famous = 0.7
  /// The importance of a place that is meant although others of the name are as well known.
  private static let wellKnown = 0.5
  /// The lead that a first result with its own name needs.
  private static let leastOfNamesakes = 0.05
  /// The lead that one with a name in another language needs.
  private static let leastOfNames = 0.2
  /// The lead that a great city needs whose name resembles the text.
  private static let leastOfCities = 0.13
  /// The lead that any other result needs whose name only resembles the text.
  private static let leastOfOthers = 0.35
}

extension [SearchResult] {
  /// The results with their kind of match, without those that hardly match if others do; and if no place has the name,
  /// only the first ones.
  func classified(as text: String, isCompleting: Bool) -> [SearchResult] {
    let likeness = NameLikeness(text, isCompleting: isCompleting)
    let all = map { result in
      var result = result
      result.matchKind = result.place.kind == .coordinate ? .exact : MatchKind(result, likeness)
      return result
    }
    guard MatchKind(of: all, isCompleting: isCompleting) == .similar else {
      return all.filter { $0.matchKind != .similar || $0.score.match > 0 }
    }
    return all.prefix(mostSimilar).map(\.self)
  }
}

extension SearchResult {
  /// Whether it is known everywhere, at least without the word for its kind, and the next one elsewhere is much less so:
  /// Mecca in Arabia and in California.
  fileprivate var isFamous: Bool {
    score.match >= (place.isFeature ? 0.749 : 0.82) && place.importance >= 0.7 && lead.importance >= 0.2
      && score.importance - lead.importance < 0.65
  }
}

/// The maximum number of names that are shown if no place has the name.
private let mostSimilar = 5
