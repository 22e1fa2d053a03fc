import Testing

@testable import MetaTag

@Suite("Planning of dates from file names")
struct NameDatePlannerTests {
  private func outcome(
    _ name: String, _ metadata: Metadata = Metadata(), _ change: (inout NameDatePlanner) throws -> Void = { _ in }
  ) throws -> String {
    let tokyo = try Zone(parsing: "Asia/Tokyo")
    var planner = NameDatePlanner(fileName: name) { _ in tokyo }
    try change(&planner)
    switch planner.propose(for: metadata) {
    case .change(let edit, _):
      if case .setPartial(let date) = edit.dates { return "\(date)" }
      guard case .set(let time, _) = edit.dates, edit.location == .keep else { return "nothing" }
      return "\(time)"
    case .unchanged(let reason): return "unchanged: \(reason.values)"
    case .skip(let reason): return "skip: \(reason.values)"
    }
  }

  private var located: Metadata {
    get throws {
      var metadata = Metadata()
      metadata.locations = [Sourced(Location(try .at(35, 135)), .exif, tag: "GPS")]
      return metadata
    }
  }

  @Test("A name's local time is kept, and UTC is converted to the photo's or the given zone.")
  func zones() throws {
    let (local, utc) = ("IMG_20240523_183841.jpg", "PXL_20240523_093841601.jpg")
    #expect(try outcome(local, located) == "2024-05-23T18:38:41")
    #expect(try outcome(utc) == "2024-05-23T09:38:41.601+00:00")
    #expect(try outcome(utc, located) == "2024-05-23T18:38:41.601+09:00")
    let vienna = try Zone(parsing: "Europe/Vienna")
    #expect(try outcome(local, located) { $0.zone = vienna } == "2024-05-23T18:38:41+02:00")
    #expect(try outcome(utc, located) { $0.zone = vienna } == "2024-05-23T11:38:41.601+02:00")
    #expect(try outcome("2024-05-23T18:38:41-03:00.jpg") { $0.zone = vienna } == "2024-05-23T18:38:41-03:00")
    #expect(
      try outcome("IMG_20240331_023000.jpg") { $0.zone = vienna }.hasPrefix("skip: nonexistentTime(2024-03-31T02:30:00")
    )
  }

  @Test("A name with only a day needs a time of day, and an existing date stays.")
  func reasons() throws {
    #expect(
      try outcome("IMG-20240523-WA0007.jpg")
        == "skip: dayInName(IMG-20240523-WA0007.jpg, 2024-05-23T00:00:00)"
    )
    #expect(try outcome("IMG-20240523-WA0007.jpg") { $0.timeOfDay = 43_200 } == "2024-05-23T12:00:00")
    #expect(try outcome("DSC01234.JPG") == "skip: noDateInName(DSC01234.JPG)")
    let dated = try GeotagPlannerTests.photo("2024-05-01T10:00:00")
    #expect(try outcome("IMG_20240523_183841.jpg", dated) == "unchanged: hasCaptureTime")
    #expect(try outcome("IMG_20240523_183841.jpg", dated) { $0.overwrite = .replace } == "2024-05-23T18:38:41")
    #expect(
      try outcome("IMG_20240501_100000.jpg", dated) { $0.overwrite = .replace }
        == "unchanged: asWanted")
  }

  @Test(
    "A future date in a name is ignored.",
    arguments: ["4006381333931.jpg", "20991231_235959.jpg", "IMG-20260718-WA0001.jpg", "Scan 2026-07-18.jpg"])
  func future(name: String) throws {
    let now = try #require(try CaptureTime(parsing: "2026-07-16T12:00:00+00:00").instant)
    for takesDays in [false, true] {
      let left = try outcome(name) { (planner: inout NameDatePlanner) in
        (planner.now, planner.takesDays, planner.timeOfDay) = (now, takesDays, takesDays ? nil : 3_600)
      }
      #expect(left.hasPrefix("skip: futureInName(20"), "\(left)")
    }
    // Somewhere it is tomorrow already.
    #expect(try outcome("IMG_20260717_110000.jpg") { $0.now = now } == "2026-07-17T11:00:00")
    #expect(try outcome("1716457121601.jpg") { $0.now = now } == "2024-05-23T09:38:41.601+00:00")
  }

  @Test(
    "Digits after the day that may be a time give a warning if another time of day is used.",
    arguments: [
      ("IMG_20240523_1838.jpg", "1838"), ("2024-05-23 18.38.jpg", "18.38"), ("a-2024-05-23_18h38 b.jpg", "18h38"),
      ("IMG-20240523-WA0007.jpg", nil), ("IMG_20240523_2561.jpg", nil), ("IMG_20240523_18384.jpg", nil),
      ("2024-05-23.jpg", nil),
    ])
  func doubtfulTime(name: String, recorded: String?) throws {
    var planner = NameDatePlanner(fileName: name) { _ in nil }
    planner.timeOfDay = 43_200
    guard case .change(_, let explanation) = planner.propose(for: Metadata()) else {
      Issue.record("no change")
      return
    }
    #expect(explanation.description == "set to 2024-05-23T12:00:00")
    #expect(explanation.warnings.map(\.code) == (recorded == nil ? [] : [.timeInName]))
    #expect(explanation.warnings.first?.sentence.contains(recorded ?? "") ?? true)
  }

  @Test("A year or a month is recorded, unless a date exists or the year is in the future.")
  func partial() throws {
    #expect(try outcome("Urlaub 1975.jpg") == "1975")
    #expect(try outcome("1975-08 Oma.jpg") == "1975-08")
    #expect(try outcome("IMG_1975.jpg") == "skip: noDateInName(IMG_1975.jpg)")
    let dated = try GeotagPlannerTests.photo("2024-05-01T10:00:00")
    #expect(try outcome("Urlaub 1975.jpg", dated) == "unchanged: hasCaptureTime")
    #expect(try outcome("Urlaub 1975.jpg", dated) { $0.overwrite = .replace } == "1975")
    #expect(try outcome("Urlaub 2024.jpg", dated) { $0.overwrite = .replace } == "unchanged: asWanted")
    let now = try #require(try CaptureTime(parsing: "2026-07-16T12:00:00+00:00").instant)
    #expect(
      try outcome("Ferien 2031.jpg") { $0.now = now }.hasPrefix("skip: futureInName"))
  }

  @Test("A pattern may contain only the year or the month.")
  func partialPattern() throws {
    for (pattern, name, wanted) in [
      ("{YYYY}-{MM} *", "1975-08 Oma.jpg", "1975-08"), ("IMG_{YYYY}", "IMG_1975.jpg", "1975"),
      ("* {YY}", "Oma 75.jpg", "1975"),
    ] {
      let pattern = try NamePattern(parsing: pattern)
      #expect(pattern.date(in: name) == nil)
      #expect(pattern.partialDate(in: name).map { "\($0)" } == wanted)
    }
    #expect(try NamePattern(parsing: "{YYYY}-{MM}").partialDate(in: "1975-13.jpg") == nil)
    #expect(try NamePattern(parsing: "{YYYY}-{MM}-{DD}").partialDate(in: "1975-08-12.jpg") == nil)
    for pattern in ["{MM} *", "{YYYY} {DD}", "{YYYY} {hh}{mm}"] {
      #expect(throws: ParseError.self) { try NamePattern(parsing: pattern) }
    }
  }

  @Test("A day gets the file's modification time if that is on the same day in the zone.")
  func fileTime() throws {
    let name = "IMG-20240523-WA0007.jpg"
    let late = try #require(try CaptureTime(parsing: "2024-05-23T22:30:00Z").instant)
    let vienna = try Zone(parsing: "Europe/Vienna")
    #expect(try outcome(name) { $0.fileTime = late }.hasPrefix("skip: unknownZone"))
    #expect(
      try outcome(name) { ($0.fileTime, $0.zone) = (late, vienna) }
        == "skip: otherFileDay(2024-05-23T00:00:00, 2024-05-24T00:30:00+02:00)")
    #expect(try outcome(name) { ($0.fileTime, $0.zone) = (late, .fixed(.utc)) } == "2024-05-23T22:30:00+00:00")
    let noon = try #require(try CaptureTime(parsing: "2024-05-23T03:30:00.5Z").instant)
    #expect(try outcome(name, located) { $0.fileTime = noon } == "2024-05-23T12:30:00+09:00")
    // A name with a time needs no other.
    #expect(try outcome("IMG_20240523_183841.jpg") { $0.fileTime = late } == "2024-05-23T18:38:41")
  }
}
