import GeoIndex
import MetaTag
import Synchronization

/// Which zone's time is kept at a place. The gazetteer is opened at the first question: most photos record their zone.
final class ZoneLookup: Sendable {
  private struct State {
    var index: Gazetteer?
    var hasFailed = false
    var zones: [String: Zone] = [:]
  }

  private let console: Console
  private let state = Mutex(State())

  init(console: Console) { self.console = console }

  /// Nil where no zone is known, and when the gazetteer can't be opened, which is told once.
  func zone(at place: Coordinate) -> Zone? {
    state.withLock { state in
      do {
        guard !state.hasFailed else { return nil }
        let index = try state.index ?? Gazetteer.opened(console: console)
        state.index = index
        let name = try index.zones(latitude: place.latitude, longitude: place.longitude).first
        return name.flatMap { name in
          let zone = state.zones[name] ?? (try? Zone(parsing: name))
          state.zones[name] = zone
          return zone
        }
      } catch {
        state.hasFailed = true
        console.warn("metatag: time zones can't be looked up: \(error)")
        return nil
      }
    }
  }
}
