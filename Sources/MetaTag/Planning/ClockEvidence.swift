import Glibc

/// What one camera's photos tell of its clock, as far as it can be weighed against a track.
///
/// Each photo speaks by the moment at which it was taken; one with a place also by where the track was then; one with
/// the time of its fix (GPSTimeStamp), by that clock. All weights are logarithms of how much likelier a photo is than
/// if the clock had nothing to do with the track, so that zero is "says nothing".
struct ClockEvidence {
  /// How the photos' readings become instants.
  enum Basis: Hashable {
    /// By recorded offsets or the zone that was given; where there is none, by the time of the place.
    case local
    /// By one offset at all places: the clock was never set on the way.
    case fixed
  }

  struct Item {
    /// What the clock showed, in seconds since 1970 as if it were UTC.
    let clock: Double
    /// Seconds east of UTC, where known.
    let offset: Double?
    /// When the place was fixed.
    let fix: Double?
    let place: SIMD3<Float>?
  }

  /// In order of what the clock showed.
  private(set) var items: [Item] = []

  /// Photos less than a minute apart tell the same; of many, some hundreds spread over all tell enough.
  private static let leastSeconds = 60.0
  private static let mostItems = 300

  init(_ photos: [Metadata], clock: CameraClock) {
    let all = photos.compactMap { photo -> Item? in
      guard let time = photo.captureTime, !photo.isDatedByHeaders else { return nil }
      let reading = time.instant(at: .utc).timeInterval(since: Instant(seconds: 0))
      let offset: UTCOffset?
      do throws(Reason) {
        offset = try clock.reading(of: photo).offset
      } catch {
        guard case .noZone = error else { return nil }
        offset = nil
      }
      return Item(
        clock: reading, offset: offset.map { Double($0.seconds) },
        fix: photo.location?.timestamp?.timeInterval(since: Instant(seconds: 0)),
        place: photo.location?.coordinate.unitVector)
    }
    .sorted { ($0.clock, $0.fix ?? 0) < ($1.clock, $1.fix ?? 0) }
    var last = -Double.infinity
    for item in all {
      if item.clock - last >= ClockEvidence.leastSeconds {
        last = item.clock
        items.append(item)
      } else if item.place != nil, let before = items.last, before.place == nil {
        // The one with a place tells more.
        items[items.count - 1] = item
      }
    }
    let located = ClockEvidence.spread(items.filter { $0.place != nil }, ClockEvidence.mostItems / 2)
    let others = ClockEvidence.spread(items.filter { $0.place == nil }, ClockEvidence.mostItems - located.count)
    items = (located + others).sorted { $0.clock < $1.clock }
  }

  /// So many of them, at even steps.
  private static func spread(_ items: [Item], _ count: Int) -> [Item] {
    guard items.count > count else { return items }
    return (0..<count).map { items[$0 * items.count / count] }
  }

  /// Round which correction to look, in seconds: zero, unless fixes say that the clock's date is wrong.
  var base: Double {
    let differences = items.compactMap { item in item.fix.map { $0 - item.clock } }.sorted()
    guard !differences.isEmpty else { return 0 }
    let median = differences[differences.count / 2]
    return abs(median) > ClockOffsetSearch.reach ? (median / 3_600).rounded() * 3_600 : 0
  }

  /// When the photos can have been taken, in seconds since 1970; nil without any.
  var window: ClosedRange<Double>? {
    guard let first = items.first, let last = items.last else { return nil }
    let margin = ClockOffsetSearch.reach + 15 * 3_600
    return first.clock + base - margin...last.clock + base + margin
  }

  /// The days on which the clock says that photos were taken, as ranges of `items`.
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
  /// When the photo was taken, if `shift` must be added to its time. `expected` is the offset to try first.
  func instant(
    _ basis: ClockEvidence.Basis, shift: Double, _ profile: TravelProfile, expected: Double? = nil
  ) -> Double {
    if let offset { return clock - offset + shift }
    return basis == .fixed ? clock + shift : profile.instant(ofLocal: clock, shift: shift, expected: expected)
  }

  /// How much speaks for its having been taken at `time`. `isCoarse` forgives some half a minute, for a first look.
  func weight(at time: Double, _ profile: TravelProfile, isCoarse: Bool) -> Double {
    // Moments and places of one trip are not independent of each other: for the decision they count less.
    let share = isCoarse ? 0.75 : 1
    var weight = share * profile.rate(at: time)
    if let fix { weight += Self.weight(ofSeconds: time - fix, core: isCoarse ? 30 : 1.5) }
    if let place, let metres = profile.distance(to: place, at: time) {
      weight += share * Self.weight(ofMetres: metres, core: isCoarse ? 80 : 20)
    }
    return weight
  }

  /// Most fixes are some moments older than the photo, some much older, some have nothing to do with it; none is
  /// younger.
  private static func weight(ofSeconds age: Double, core: Double) -> Double {
    let seconds = age < 0 ? -10 * age : age
    let range = 2 * ClockOffsetSearch.reach
    let near = 0.75 * range / (2 * core) * exp(-seconds / core)
    let stale = 0.1 * range / 240 * exp(-seconds / 120)
    return log(near + stale + 0.15)
  }

  /// Against a place anywhere in an area of 20 by 20 kilometres.
  private static func weight(ofMetres metres: Double, core: Double) -> Double {
    log(0.9 * 4e8 / (2 * .pi * core * core) * exp(-metres / core) + 0.1)
  }
}
