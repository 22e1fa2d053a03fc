@testable import Basics
import TestSupport
import Testing

@testable import MetaTag

@Suite("Time zone")
struct ZoneTests {
  @Test(
    "A time zone is an offset, UTC or a name.",
    arguments: [
      ("+09:00", "+09:00"), ("-03", "-03:00"), ("−03:30", "-03:30"), ("Z", "+00:00"), ("utc", "+00:00"),
      ("GMT", "+00:00"),
      ("Asia/Tokyo", "Asia/Tokyo"), ("Asia/Calcutta", "Asia/Calcutta"), (" Europe/Berlin ", "Europe/Berlin"),
      ("+9", "+09:00"), ("UTC+2", "+02:00"), ("gmt+2", "+02:00"), ("UTC+05:30", "+05:30"), ("UTC +0545", "+05:45"),
      ("GMT−3", "-03:00"), ("UTC-12", "-12:00"), ("+14:00", "+14:00"), ("-12", "-12:00"), ("z", "+00:00"),
      ("asia/tokyo", "Asia/Tokyo"), ("EUROPE/BERLIN", "Europe/Berlin"), ("asia/calcutta", "Asia/Calcutta"),
      ("America/New York", "America/New_York"), ("america/port-au-prince", "America/Port-au-Prince"),
      ("Etc/GMT+2", "Etc/GMT+2"), ("etc/gmt-9", "Etc/GMT-9"),
    ])
  func reads(text: String, name: String) throws { #expect(try Zone(parsing: text).description == name) }

  @Test(
    "A text that means several zones or none is refused.",
    arguments: [
      "", "IST", "EST", "JST", "CET", "MST7MDT", "est", "Japan", "GB", "Mars/Base", "+25:00", "9", "../x", "+14:01",
      "-12:01", "+15", "UTC+15", "UTC+9:60", "+930", "UTC9", "Asia/", "/", "asia//tokyo",
    ])
  func refuses(text: String) {
    #expect(throws: ParseError.self) { try Zone(parsing: text) }
  }

  @Test(
    "A refused text has a remedy.",
    arguments: [
      ("JST", .didYouMean(["Asia/Tokyo"])), ("Asia/Tokio", .didYouMean(["Asia/Tokyo"])),
      ("Mars/Base", .writeLike("Asia/Tokyo", or: ["+09:00", "Z"])), ("+930", .writeLike("+09:00")), ("+14:01", nil),
    ] as [(String, Remedy?)])
  func advises(text: String, remedy: Remedy?) {
    let error = #expect(throws: ParseError.self) { try Zone(parsing: text) }
    #expect(error?.remedy == remedy)
  }

  @Test("Etc/GMT+2 is behind UTC, as in the database, and UTC+2 is ahead.")
  func inverted() throws {
    let now = Instant(seconds: 1_700_000_000)
    #expect(try Zone(parsing: "Etc/GMT+2").offset(at: now).seconds == -7_200)
    #expect(try Zone(parsing: "UTC+2").offset(at: now).seconds == 7_200)
  }

  @Test(
    "A refused text gets suggestions of the zones that it may mean.",
    arguments: [
      ("JST", "Asia/Tokyo"), ("ist", "Asia/Kolkata Europe/Dublin Asia/Jerusalem"), ("Asia/Tokio", "Asia/Tokyo"),
      ("Europe/Tokyo", "Asia/Tokyo"), ("tokyo", "Asia/Tokyo"), ("Europe/Viena", "Europe/Vienna"), ("Mars/Base", ""),
      ("", ""), ("xx", ""),
    ])
  func suggestions(text: String, names: String) {
    #expect(Zone.namesMeant(by: text).joined(separator: " ") == names)
    #expect(Zone.namesMeant(by: text).allSatisfy { (try? Zone(parsing: $0)) != nil })
  }

  @Test("Every abbreviation is refused, and its suggestions are existing zones.")
  func abbreviations() {
    for (text, names) in ZoneAbbreviation.names {
      #expect(throws: ParseError.self) { try Zone(parsing: text) }
      #expect(!names.isEmpty && names.allSatisfy { (try? Zone(parsing: $0)) != nil }, "\(text)")
    }
  }

  @Test(
    "A zone has the offset of its rules at that instant.",
    arguments: [
      ("America/New_York", "2024-07-01T12:00:00Z", "-04:00"), ("America/New_York", "2024-12-01T12:00:00Z", "-05:00"),
      ("America/New_York", "2024-03-10T06:59:59Z", "-05:00"), ("America/New_York", "2024-03-10T07:00:00Z", "-04:00"),
      ("Asia/Kathmandu", "2024-05-01T00:00:00Z", "+05:45"), ("Asia/Tokyo", "1950-07-01T00:00:00Z", "+10:00"),
      // Monrovia's mean time, -0:44:30 until 1972, to the minute.
      ("Africa/Monrovia", "1970-01-01T00:00:00Z", "-00:45"),
      // Not Berlin's double summer time, nor Abidjan's and Brussels' time: tzdata's own zones before 1970.
      ("Europe/Oslo", "1945-07-04T05:46:40Z", "+02:00"), ("Europe/Oslo", "1850-01-01T00:00:00Z", "+00:43"),
      ("Atlantic/Reykjavik", "1967-01-04T18:40:00Z", "-01:00"),
      ("Atlantic/Reykjavik", "1967-05-04T18:40:00Z", "+00:00"),
      ("Europe/Amsterdam", "1938-07-03T08:53:20Z", "+01:20"), ("America/Montreal", "1950-07-01T00:00:00Z", "-04:00"),
      ("-03:00", "2024-05-01T00:00:00Z", "-03:00"),
    ])
  func offsets(zone: String, instant: String, offset: String) throws {
    let instant = try #require(try CaptureTime(parsing: instant).instant)
    #expect(try Zone(parsing: zone).offset(at: instant).description == offset)
  }

  @Test(
    "A civil time is shown once, twice or never.",
    arguments: [
      ("America/New_York", "2024-03-10T01:59:59", "once -05:00"),
      ("America/New_York", "2024-03-10T02:00:00", "never -05:00 -04:00"),
      ("America/New_York", "2024-03-10T02:30:00", "never -05:00 -04:00"),
      ("America/New_York", "2024-03-10T03:00:00", "once -04:00"),
      ("America/New_York", "2024-11-03T00:59:59", "once -04:00"),
      ("America/New_York", "2024-11-03T01:30:00", "twice -04:00 -05:00"),
      ("America/New_York", "2024-11-03T02:00:00", "once -05:00"), ("Asia/Tokyo", "2024-05-23T18:38:41", "once +09:00"),
      ("Australia/Lord_Howe", "2024-04-07T01:45:00", "twice +11:00 +10:30"),
      // Samoa skipped a day.
      ("Pacific/Apia", "2011-12-30T12:00:00", "never -10:00 +14:00"),
      ("Pacific/Apia", "2011-12-31T00:00:00", "once +14:00"),
      ("Pacific/Apia", "2011-12-29T23:59:59", "once -10:00"), ("+05:30", "2024-03-10T02:30:00", "once +05:30"),
    ])
  func readings(zone: String, civil: String, expected: String) throws {
    let offsets = try Zone(parsing: zone).offsets(forCivil: CaptureTime(parsing: civil).civil)
    let text =
      switch offsets {
      case .one(let offset): "once \(offset)"
      case .ambiguous(let earlier, let later): "twice \(earlier) \(later)"
      case .nonexistent(let before, let after): "never \(before) \(after)"
      }
    #expect(text == expected)
  }

  @Test("A fold chooses the earlier or later instant of a civil time that is shown twice or never.")
  func folds() throws {
    let zone = try Zone(parsing: "America/New_York")
    for civil in [
      try CaptureTime(parsing: "2024-11-03T01:30:00").civil, try CaptureTime(parsing: "2024-03-10T02:30:00").civil,
    ] {
      let earlier = try #require(zone.offset(forCivil: civil, fold: .earlier))
      let later = try #require(zone.offset(forCivil: civil, fold: .later))
      #expect(CaptureTime(civil).instant(at: earlier) < CaptureTime(civil).instant(at: later))
      #expect(zone.offset(forCivil: civil, fold: nil) == nil)
    }
  }

  @Test(
    "The civil time of every instant leads back to that instant.",
    arguments: ["Europe/London", "Africa/Casablanca", "America/Caracas", "Asia/Gaza"])
  func roundTrip(name: String) throws {
    let zone = try Zone(parsing: name)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1_000 {
      let instant = Instant(seconds: .random(in: 0...2_000_000_000, using: &generator))
      let offset = zone.offset(at: instant)
      let civil = try #require(CivilTime(secondsSince1970: instant.seconds + Int64(offset.seconds)))
      switch zone.offsets(forCivil: civil) {
      case .one(let one): #expect(one == offset)
      case .ambiguous(let earlier, let later): #expect(offset == earlier || offset == later)
      case .nonexistent: Issue.record("\(civil) was shown in \(name)")
      }
    }
  }
}
