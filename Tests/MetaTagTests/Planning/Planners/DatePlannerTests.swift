import Testing

@testable import MetaTag

@Suite("Planning of dates")
struct DatePlannerTests {
  /// The proposal for a photo with this date, as text.
  func outcome(
    _ rule: DatePlanner.Rule, _ metadata: Metadata, _ clock: CameraClock = CameraClock(), overwrite: Overwrite = .keep
  ) -> String {
    var planner = DatePlanner(rule)
    planner.clock = clock
    planner.overwrite = overwrite
    switch planner.propose(for: metadata) {
    case .change(let edit, let because):
      #expect(edit.location == .keep)
      switch edit.dates {
      case .set(let time, _): return "set \(time)"
      case .adjust(let shift, offset: .set(let offset)): return "\(shift) at \(offset); \(because)"
      case .adjust(let shift, offset: .keep): return "\(shift); \(because)"
      default: return "nothing"
      }
    case .unchanged(let reason): return "unchanged: \(reason.values)"
    case .skip(let reason): return "skip: \(reason.values)"
    }
  }

  @Test(
    "A shift moves the time and nothing else.",
    arguments: [
      ("2024-05-01T10:00:00", "+1h23m", "+1h23m; moved by +1h23m"),
      ("2024-05-01T10:00:00", "0s", "unchanged: asWanted"),
      ("9999-12-31T23:59:59", "1s", "skip: outsideCalendar"),
      ("9999-12-31T23:59:59.6", "+0.5s", "skip: outsideCalendar"),
      ("0000-01-01T00:00:00", "-0.1s", "skip: outsideCalendar"),
    ])
  func shifts(time: String, shift: String, expected: String) throws {
    #expect(outcome(.shift(try CalendarShift(parsing: shift)), try GeotagPlannerTests.photo(time)) == expected)
  }

  @Test(
    "A shift of whole-second dates is rounded, and unchanged if that is zero.",
    arguments: [
      ("+0.5s", "+1s; moved by +1s"), ("-0.5s", "-1s; moved by -1s"), ("+1.4s", "+1s; moved by +1s"),
      ("-1.6s", "-2s; moved by -2s"), ("+1mo0.7s", "nothing"),
      ("+0.4s", "unchanged: wholeSeconds"),
      ("-0.001s", "unchanged: wholeSeconds"),
    ])
  func wholeSeconds(shift: String, expected: String) throws {
    let rule = DatePlanner.Rule.shift(try CalendarShift(parsing: shift))
    for namespace in [Namespace.quickTime, .iptc] {
      var photo = try GeotagPlannerTests.photo("2024-05-01T10:00:00")
      photo.captureTimes[0].namespace = namespace
      if expected == "nothing" {
        let moved = CalendarShift(months: 1, TimeShift(seconds: 1)).anchored(at: photo.captureTime)
        #expect(
          DatePlanner(rule).propose(for: photo)
            == .change(.dates(.adjust(moved, offset: .keep)), because: .shifted(moved)))
      } else {
        #expect(outcome(rule, photo) == expected)
      }
      photo.captureTimes[0].value.fraction = SecondFraction(digits: "25")
      #expect(outcome(rule, photo).contains("unchanged") == false)
    }
  }

  @Test(
    "A new zone keeps the local time or the instant.",
    arguments: [
      ("2024-05-23T18:38:41", "+09:00", false, "0s at +09:00; zone +09:00"),
      ("2024-05-23T18:38:41", "Asia/Tokyo", false, "0s at +09:00; zone +09:00"),
      ("2024-05-23T18:38:41+09:00", "Asia/Tokyo", false, "unchanged: asWanted"),
      ("2024-05-23T18:38:41+09:00", "Asia/Tokyo", true, "unchanged: asWanted"),
      ("2024-05-23T09:38:41+00:00", "Asia/Tokyo", true, "+9h at +09:00; zone +09:00, clock moved by +9h"),
      ("2024-07-01T12:00:00+02:00", "America/New_York", true, "-6h at -04:00; zone -04:00, clock moved by -6h"),
      ("2024-12-01T12:00:00+01:00", "America/New_York", true, "-6h at -05:00; zone -05:00, clock moved by -6h"),
      ("2024-07-01T12:00:00", "America/New_York", false, "0s at -04:00; zone -04:00"),
      ("2024-12-01T12:00:00", "America/New_York", false, "0s at -05:00; zone -05:00"),
      (
        "2024-05-23T18:38:41", "Asia/Tokyo", true,
        "skip: noZone(2024-05-23T18:38:41)"
      ),
      ("9999-12-31T20:00:00Z", "Asia/Tokyo", true, "skip: outsideCalendar"),
      (
        "2024-03-10T02:30:00", "America/New_York", false,
        "skip: nonexistentTime(2024-03-10T02:30:00, America/New_York, -05:00, -04:00)"
      ),
      ("2024-03-10T07:00:00Z", "America/New_York", true, "-4h at -04:00; zone -04:00, clock moved by -4h"),
      ("2024-03-10T06:59:59Z", "America/New_York", true, "-5h at -05:00; zone -05:00, clock moved by -5h"),
    ])
  func zones(time: String, zone: String, keepsInstant: Bool, expected: String) throws {
    let zone = try Zone(parsing: zone)
    let rule = keepsInstant ? DatePlanner.Rule.keepInstant(zone) : .keepClock(zone)
    #expect(outcome(rule, try GeotagPlannerTests.photo(time)) == expected)
  }

  @Test("The camera's zone and a fold supply what the photo doesn't record.")
  func clock() throws {
    let photo = try GeotagPlannerTests.photo("2024-11-03T01:30:00")
    let (tokyo, newYork) = (try Zone(parsing: "Asia/Tokyo"), try Zone(parsing: "America/New_York"))
    #expect(outcome(.keepInstant(tokyo), photo, CameraClock(zone: .fixed(.utc))).hasPrefix("+9h at +09:00"))
    #expect(
      outcome(.keepInstant(tokyo), photo, CameraClock(zone: newYork)).hasPrefix(
        "skip: ambiguousTime(2024-11-03T01:30:00"))
    #expect(outcome(.keepInstant(tokyo), photo, CameraClock(zone: newYork, fold: .earlier)).hasPrefix("+13h at +09:00"))
    #expect(outcome(.keepClock(newYork), photo, CameraClock(fold: .later)) == "0s at -05:00; zone -05:00")
  }

  @Test("Copies with different zones are skipped.")
  func disagreement() throws {
    var photo = try GeotagPlannerTests.photo("2024-05-23T18:38:41+09:00")
    photo.captureTimes.append(Sourced(try CaptureTime(parsing: "2024-05-23T18:38:41Z"), .iptc, tag: "TimeCreated"))
    let zone = try Zone(parsing: "+02:00")
    #expect(outcome(.keepInstant(zone), photo).hasPrefix("-7h at +02:00"))
    photo.captureTimes.append(
      Sourced(try CaptureTime(parsing: "2024-05-23T09:38:41Z"), .xmp, tag: "photoshop:DateCreated"))
    #expect(outcome(.keepInstant(zone), photo).hasPrefix("skip: offsetsDisagree(+09:00, +00:00)"))
    #expect(outcome(.keepClock(zone), photo, overwrite: .replace) == "0s at +02:00; zone +02:00")
  }

  @Test(
    "A recorded zone stays, unless overwriting is allowed.",
    arguments: [
      ("+13:00", Overwrite.keep, "skip: hasZone(+13:00)"),
      ("+13:00", .replace, "0s at +02:00; zone +02:00"), ("+02:00", .keep, "unchanged: asWanted"),
      ("", .keep, "0s at +02:00; zone +02:00"),
    ])
  func recordedZone(offset: String, overwrite: Overwrite, expected: String) throws {
    let photo = try GeotagPlannerTests.photo("2025-07-12T23:36:14\(offset)")
    #expect(outcome(.keepClock(try Zone(parsing: "Europe/Vienna")), photo, overwrite: overwrite) == expected)
  }

  @Test("A zone in another copy stays too, and a copy without one gets it.")
  func otherCopies() throws {
    var photo = try GeotagPlannerTests.photo("2025-07-12T23:36:14")
    let copy = try CaptureTime(parsing: "2025-07-12T23:36:14+13:00")
    photo.captureTimes.append(Sourced(copy, .xmp, tag: "photoshop:DateCreated"))
    #expect(outcome(.keepClock(try Zone(parsing: "Europe/Vienna")), photo).hasPrefix("skip: hasZone"))
    #expect(outcome(.keepClock(try Zone(parsing: "+13:00")), photo) == "0s at +13:00; zone +13:00")
    // A zone in which this time never existed is not a reason to say so.
    let gap = try GeotagPlannerTests.photo("2024-03-10T02:30:00+13:00")
    #expect(
      outcome(.keepClock(try Zone(parsing: "America/New_York")), gap).hasPrefix("skip: hasZone"))
  }

  @Test("Only the sidecar's zone of a raw file counts.")
  func overruledZone() throws {
    var photo = try GeotagPlannerTests.photo("2024-05-23T18:38:41+09:00")
    photo.captureTimes.insert(
      Sourced(try CaptureTime(parsing: "2024-05-23T10:38:41+01:00"), .sidecar, tag: "exif:DateTimeOriginal"), at: 0)
    #expect(outcome(.keepInstant(try Zone(parsing: "+02:00")), photo).hasPrefix("+1h at +02:00"))
  }

  @Test("A date can be set on any photo; without one there is nothing to shift.")
  func noDate() throws {
    var malformed = Metadata()
    malformed.malformedDates = [Sourced("2024:05:23 24:00:00", .exif, tag: "DateTimeOriginal")]
    let time = try CaptureTime(parsing: "2023-01-02T03:04:05")
    for photo in [Metadata(), malformed, try GeotagPlannerTests.photo("2024-05-01T10:00:00")] {
      #expect(outcome(.set(time), photo) == "set 2023-01-02T03:04:05")
    }
    let zone = Zone.fixed(.utc)
    for rule in [.shift(try CalendarShift(parsing: "1h")), .keepClock(zone), .keepInstant(zone)] as [DatePlanner.Rule] {
      #expect(outcome(rule, Metadata()) == "skip: noCaptureTime")
      #expect(outcome(rule, malformed).hasPrefix("skip: malformedDate(2024:05:23 24:00:00"))
    }
  }

  @Test(
    "A photo with only a day moves by whole days and months.",
    arguments: [
      ("+1mo", "+1mo; moved by +1mo"), ("-2d", "-2d; moved by -2d"),
      (
        "+1h",
        "skip: onlyPartial(2024-01-31)"
      ), ("-3000y", "skip: outsideCalendar"),
    ])
  func onlyDay(shift: String, expected: String) throws {
    var photo = Metadata()
    let day = try PartialDate(parsing: "2024-01-31")
    for namespace in [Namespace.xmp, .exif] {
      photo.partialDates = [Sourced(day, namespace, tag: "photoshop:DateCreated")]
      #expect(outcome(.shift(try CalendarShift(parsing: shift)), photo) == expected)
    }
  }
}
