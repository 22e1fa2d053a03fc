import GeoIndex
import MetaTag
import Synchronization

/// Looks up time zones by location. The gazetteer is opened at the first lookup, because most photos record their zone.
final class ZoneLookup: Sendable {
  private struct State {
    var index: Gazetteer?
    var hasFailed = false
  }

  private let console: Console
  private let state = Mutex(State())

  init(console: Console) { self.console = console }

  /// Returns the zone; nil if it is unknown, or if the gazetteer can't be opened, which is reported once.
  func zone(at place: Coordinate) -> Zone? {
    state.withLock { state in
      do {
        guard !state.hasFailed else { return nil }
        let index = try state.index ?? Gazetteer.opened(console: console)
        state.index = index
        return try index.zone(at: place)
      } catch {
        state.hasFailed = true
        console.warn("metatag: time zones can't be looked up: \(error.words)")
        return nil
      }
    }
  }
}
