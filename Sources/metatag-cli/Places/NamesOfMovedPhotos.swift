import GeoIndex
import MetaTag
import Synchronization

/// Updates the place names of photos that move away from the named place. The gazetteer is opened for the first such
/// photo.
final class NamesOfMovedPhotos: Sendable {
  private struct State {
    var index: Gazetteer?
    var hasFailed = false
    /// By language; nil is the gazetteer's default names.
    var namers: [String?: PlaceNamer] = [:]
  }

  private let console: Console
  private let state = Mutex(State())

  init(console: Console) { self.console = console }

  /// Returns a planner that also updates or removes the names when `planner` moves a photo.
  func following(_ planner: any Planner) -> any Planner {
    NamesFollowing(planner) { names, old, new in self.names(of: new, asIn: names, of: old) }
  }

  /// Returns the names of `new` in the language in which `names` are those of `old`; none if the gazetteer can't be
  /// opened, which is reported once.
  private func names(of new: Location, asIn names: PlaceNames, of old: Location) -> PlaceNames {
    state.withLock { state in
      do {
        guard !state.hasFailed else { return PlaceNames() }
        let index = try state.index ?? Gazetteer.opened(console: console)
        state.index = index
        func namer(_ language: String?) throws -> PlaceNamer {
          if let known = state.namers[language] { return known }
          let namer = try index.namer(language: language)
          state.namers[language] = namer
          return namer
        }
        func look(_ namer: PlaceNamer, at place: Location) throws -> PlaceNames {
          PlaceNames(try namer.names(of: place))
        }
        let usual = try namer(nil)
        let code = try look(usual, at: old).countryCode ?? ""
        let spoken = names.country.map { index.languages(calling: $0, country: code) } ?? []
        var best = (namer: usual, fits: -1)
        for language in [nil, "en"] + spoken.prefix(Self.languages).map(Optional.some) {
          let other = try namer(language)
          let fits = try look(other, at: old).count(agreeingWith: names)
          if fits > best.fits { best = (other, fits) }
          if fits == names.count { break }
        }
        return try look(best.namer, at: new)
      } catch {
        state.hasFailed = true
        console.warn("metatag: place names can't be looked up: \(error.words)")
        return PlaceNames()
      }
    }
  }

  /// The number of languages to try: a country may have the same name in twenty.
  private static let languages = 6
}

extension PlaceNames {
  private static var fields: [KeyPath<PlaceNames, String?>] { [\.sublocation, \.city, \.state, \.country] }

  fileprivate var count: Int { Self.fields.count { self[keyPath: $0] != nil } }

  fileprivate func count(agreeingWith other: PlaceNames) -> Int {
    Self.fields.count { other[keyPath: $0] != nil && self[keyPath: $0] == other[keyPath: $0] }
  }
}
