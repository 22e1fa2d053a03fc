import Foundation
import TestSupport
import Testing

/// A camera's location that is older than the photo only proves that the photo is not older.
struct StaleFixTests {
  /// The true time: 10:34:20 on a clock in Slovenia.
  private static let truth = "2024:05:18 10:34:20"

  /// A photo with a location measured at `fix` (UTC), whose clock shows `shown`.
  ///
  /// - Parameter fix: Nil for a location without the time of its fix.
  private func photo(_ scratch: Scratch, shown: String, fix: String?, zoned: Bool) throws -> URL {
    let sample = Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg")
    let file = try scratch.write(try Data(contentsOf: sample), as: "a.jpg")
    let zone = zoned ? "+02:00" : ""
    let answer = try Oracle.run(
      "exiftool",
      [
        "-q", "-m", "-overwrite_original", "-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)", "-IFD0:ModifyDate=",
        "-OffsetTime=", "-OffsetTimeOriginal=\(zone)", "-OffsetTimeDigitized=\(zone)", "-GPS:all=",
        "-GPSLatitude=46.3588367", "-GPSLatitudeRef=N", "-GPSLongitude=14.0814023", "-GPSLongitudeRef=E",
        "-GPSDateStamp=\(fix == nil ? "" : "2024:05:18")", "-GPSTimeStamp=\(fix ?? "")", file.path,
      ])
    try #require(answer.status == 0, "\(answer.errors)")
    return file
  }

  private func date(_ file: URL) throws -> String {
    let answer = try Oracle.run("exiftool", ["-s3", "-DateTimeOriginal", file.path])
    return String(decoding: answer.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    "Dates are corrected once, however often the command runs.",
    arguments: [
      ("2024:05:18 10:54:20", "-20m", "08:19:20"), ("2024:05:18 10:54:20", "-20m", "08:34:10"),
      ("2024:05:18 10:14:20", "+20m", "08:19:20"), ("2024:05:18 10:14:20", "+20m", "08:34:10"),
    ])
  func once(shown: String, offset: String, fix: String) throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let file = try photo(scratch, shown: shown, fix: fix, zoned: false)
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    for _ in 1...3 {
      try tool(
        "geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--offset", offset, "--fix-dates", file.path)
      // A fix that is too old proves nothing and leaves the first time. No date is ever moved twice.
      #expect([shown, Self.truth].contains(try date(file)))
    }
  }

  @Test(
    "A photo whose dates an earlier run corrected is skipped, unless that was undone.",
    arguments: [
      // A fix as old as the clock was fast seems to confirm the wrong time; a missing fix proves nothing.
      ("2024:05:18 10:54:20", "-20m", "08:14:10"), ("2024:05:18 10:54:20", "-20m", nil),
      ("2024:05:18 10:14:20", "+20m", nil),
    ])
  func shifted(shown: String, offset: String, fix: String?) throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let file = try photo(scratch, shown: shown, fix: fix, zoned: false)
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let words = [
      "geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--offset", offset, "--fix-dates", file.path,
    ]
    try tool("date", "shift", offset, file.path)
    #expect(try date(file) == Self.truth)
    let answer = try tool.run(list: words)
    #expect(try date(file) == Self.truth)
    #expect(answer.text.contains("run 1"), "\(answer.text)")
    try tool("undo", "1")
    #expect(try date(file) == shown)
    if fix == nil { #expect(try tool.run(list: words).status == 0) }
    #expect(try date(file) == (fix == nil ? Self.truth : shown))
  }

  @Test("A corrected photo that lost its location since isn't corrected again.")
  func cleared() throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let file = try photo(scratch, shown: "2024:05:18 10:14:20", fix: "08:14:20", zoned: false)
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    for _ in 1...2 {
      try tool("clear", "--location", file.path)
      try tool(
        "geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--offset", "+20m", "--fix-dates", file.path)
      #expect(try date(file) == Self.truth)
    }
  }

  @Test("The journal proves a movie's clock error, because it has no GPS time.", arguments: [false, true])
  func journal(isChangedSince: Bool) throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let file = try ClockCase(kind: .movie, words: "").make(in: scratch)
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    try tool("geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--offset", "+20m", file.path)
    if isChangedSince {
      // The program that wrote to it may have corrected it.
      let answer = try Oracle.run("exiftool", ["-q", "-overwrite_original", "-Keys:Title=boat", file.path])
      try #require(answer.status == 0)
    }
    let check = try tool("date", "check", file.path)
    #expect(check.text.contains("clock: run 1 (journal)") == !isChangedSince, "\(check.text)")
    guard !isChangedSince else { return }
    #expect(check.text.contains("metatag date shift +20m \(file.path)"))
    for _ in 1...2 {
      try tool("date", "repair", "--apply", file.path)
      let found = try ClockCase.instants(in: scratch.url)
      #expect(!found.isEmpty && found.values.allSatisfy { abs($0 - ClockCase.truth) <= 1.5 }, "\(found)")
    }
    #expect(try tool("date", "check", file.path).status == 0)
  }

  @Test("A later fix proves that the clock was slow, but not by how much.")
  func bound() throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let shown = "2024:05:18 10:14:20"
    let file = try photo(scratch, shown: shown, fix: "08:19:20", zoned: true)
    let check = try tool("date", "check", file.path)
    #expect(check.status == 1)
    #expect(!String(decoding: check.output, as: UTF8.self).contains("date shift"))
    try tool("date", "repair", "--apply", file.path)
    #expect(try date(file) == shown)
    let export = try tool("export", "gpx", file.path)
    #expect(!String(decoding: export.output, as: UTF8.self).contains("08:19:20"))
  }
}
