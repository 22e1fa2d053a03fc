import Glibc

/// The evidence that one camera's photos give about its clock, weighed against a track.
///
/// Each photo counts by the moment at which it was taken; one with a place also by the position of the track at that
/// moment; one with the time of its fix (GPSTimeStamp) by that time. All weights are logarithms of likelihood ratios
/// against the hypothesis that clock and track are unrelated, so zero means "no evidence".
struct ClockEvidence {
  /// The way in which clock readings become instants.
  enum Basis: Hashable {
    /// The recorded offset or the given zone applies; without these, the local time of the place.
    case local
    /// One offset applies at all places: the clock was never set during the journey.
    case fixed
  }

  struct Item {
    /// The time on the clock, in seconds since 1970 as if it were UTC.
    let clock: Double
    /// Seconds east of UTC, if known.
    let offset: Double?
    /// The time of the fix.
    let fix: Double?
    let place: SIMD3<Float>?
  }

  /// The photos in the order of their clock times.
  private(set) var items: [Item] = []

  /// Seconds between photos below which they count as one; of many photos, some hundreds spread evenly are enough.
  private static let leastSeconds = 60.0
  private static let mostItems = 300

  /// Chooses from the evidence of one camera's photos.
  init(_ all: [Item]) {
    let all = all.sorted { ($0.clock, $0.fix ?? 0) < ($1.clock, $1.fix ?? 0) }
    var last = -Double.infinity
    for item in all {
      if item.clock - last >= ClockEvidence.leastSeconds {
        last = item.clock
        items.append(item)
      } else if item.place != nil, let before = items.last, before.place == nil {
        // A photo with a place gives more evidence.
        items[items.count - 1] = item
      }
    }
    let located = ClockEvidence.spread(items.filter { $0.place != nil }, ClockEvidence.mostItems / 2)
    let others = ClockEvidence.spread(items.filter { $0.place == nil }, ClockEvidence.mostItems - located.count)
    items = (located + others).sorted { $0.clock < $1.clock }
  }

  /// Returns `count` items at even steps.
  private static func spread(_ items: [Item], _ count: Int) -> [Item] {
    guard items.count > count else { return items }
    return (0..<count).map { items[$0 * items.count / count] }
  }

  /// The correction around which to search, in seconds: zero, unless the fixes show that the clock's date is wrong.
  var base: Double {
    let differences = items.compactMap { item in item.fix.map { $0 - item.clock } }.sorted()
    guard !differences.isEmpty else { return 0 }
    let median = differences[differences.count / 2]
    return abs(median) > ClockOffsetSearch.reach ? (median / 3_600).rounded() * 3_600 : 0
  }

  /// The time in which the photos can have been taken, in seconds since 1970; nil without photos.
  var window: ClosedRange<Double>? {
    guard let first = items.first, let last = items.last else { return nil }
    let margin = ClockOffsetSearch.reach + 15 * 3_600
    return first.clock + base - margin...last.clock + base + margin
  }

  /// The days, by the clock, on which photos were taken, as ranges of `items`.
  var days: [Range<Int>] {
    var days: [Range<Int>] = []
    for (index, item) in items.enumerated() {
      if let day = days.last, Int(item.clock) / 86_400 == Int(items[day.lowerBound].clock) / 86_400 {
        days[days.count - 1] = day.lowerBound..<index + 1
      } else {
        days.append(index..<index + 1)
      }
    }
    return days
  }
}

extension ClockEvidence.Item {
  /// The evidence of a photo; nil if it gives none.
  init?(_ photo: Metadata, clock: CameraClock) {
    guard let time = photo.captureTime, !photo.isDatedByHeaders else { return nil }
    do throws(Reason) {
      offset = Double(try clock.reading(of: photo).offset.seconds)
    } catch {
      guard case .noZone = error else { return nil }
      offset = nil
    }
    self.clock = time.instant(at: .utc).timeInterval(since: Instant(seconds: 0))
    fix = photo.location?.timestamp?.timeInterval(since: Instant(seconds: 0))
    place = photo.location?.coordinate.roundedUnitVector
  }

  /// Returns when the photo was taken if `shift` must be added to its time. `expected` is the offset to try first.
  func instant(
    _ basis: ClockEvidence.Basis, shift: Double, _ profile: TravelProfile, expected: Double? = nil
  ) -> Double {
    if let offset { return clock - offset + shift }
    return basis == .fixed ? clock + shift : profile.instant(ofLocal: clock, shift: shift, expected: expected)
  }

  /// Returns the evidence that the photo was taken at `time`. `isCoarse` tolerates about half a minute, for a first
  /// scan.
  func weight(at time: Double, _ profile: TravelProfile, isCoarse: Bool) -> Double {
    // Moments and places of one trip are not independent of each other, so they count less in the decision.
    let share = isCoarse ? 0.75 : 1
    var weight = share * profile.rate(at: time)
    if let fix { weight += Self.weight(ofSeconds: time - fix, core: isCoarse ? 30 : 1.5) }
    if let place, let metres = profile.distance(to: place, at: time) {
      weight += share * Self.weight(ofMetres: metres, core: isCoarse ? 80 : 20)
    }
    return weight
  }

  /// Returns the weight of the age of a fix. Most fixes are a few moments older than the photo, some much older, some
  /// unrelated to it; none is younger.
  private static func weight(ofSeconds age: Double, core: Double) -> Double {
    let seconds = age < 0 ? -10 * age : age
    let range = 2 * ClockOffsetSearch.reach
    let near = 0.75 * range / (2 * core) * exp(-seconds / core)
    let stale = 0.1 * range / 240 * exp(-seconds / 120)
    return log(near + stale + 0.15)
  }

  /// Returns the weight of a distance, compared with a place anywhere in an area of 20 by 20 kilometres.
  private static func weight(ofMetres metres: Double, core: Double) -> Double {
    log(0.9 * 4e8 / (2 * .pi * core * core) * exp(-metres / core) + 0.1)
  }
}
