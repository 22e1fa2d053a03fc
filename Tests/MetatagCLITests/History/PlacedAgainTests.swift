import Foundation
import TestSupport
import Testing

/// Runs over a photo that a track has placed.
@Suite(
  "Photos with a track's location and time", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct PlacedAgainTests {
  private static let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
  private static let track = ["geotag", "--track", day, "--camera-zone", "Europe/Ljubljana"]

  private func tags(_ file: URL, _ names: [String]) throws -> String {
    let answer = try Oracle.run("exiftool", ["-s3"] + names.map { "-\($0)" } + [file.path])
    return String(decoding: answer.output, as: UTF8.self).replacing("\n", with: " ").trimmingCharacters(
      in: .whitespaces)
  }

  private func write(_ file: URL, _ tags: [String]) throws {
    let answer = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [file.path])
    try #require(answer.status == 0, "\(answer.errors)")
  }

  @Test(
    "Once a date is corrected, no run applies the correction again, with or without a journal.",
    arguments: ClockCase.Kind.allCases.dropFirst(), [true, false])
  func corrected(_ kind: ClockCase.Kind, isKnown: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: kind, words: "").make(in: scratch)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    let content = { try names.map { try Data(contentsOf: scratch.url.appending(path: $0)) } }
    try tool.run(list: Self.track + ["--offset", "+20m", "--fix-dates", file.path])
    let fixed = try content()
    let other = isKnown ? tool : try Tool()
    for overwrite in ["replace", "if-better"] {
      let again = try other.run(list: Self.track + ["--offset", "+20m", "--overwrite", overwrite, file.path])
      #expect(try content() == fixed, "\(again.text)")
      #expect(!again.text.contains("date shift +20m"), "\(again.text)")
    }
  }

  @Test("A dry run leaves an interrupted run's recovery to later runs.", .enabled(if: Oracle.has("python3")))
  func trial() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrong, words: "").make(in: scratch)
    try tool.run(list: Self.track + ["--offset", "+20m", "--fix-dates", file.path])
    let journal = tool.home.url.appending(path: "state/metatag/journal.db").path
    func states(after change: String) throws -> String {
      let script =
        "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit(); "
        + "print([r[0] for r in d.execute('SELECT state FROM operation')])"
      let answer = try Oracle.run("python3", ["-c", script, journal, change])
      return String(decoding: answer.output, as: UTF8.self)
    }
    let unsettled = try states(after: "UPDATE operation SET state = 'committed'")
    try #require(unsettled.contains("committed"))
    let again = Self.track + ["--offset", "+20m", "--overwrite", "replace", file.path]
    #expect(try tool.run(list: again + ["--dry-run"]).errors.contains("a run was interrupted"))
    #expect(try states(after: "SELECT 1") == unsettled)
    try tool.run(list: again)
    #expect(!(try states(after: "SELECT 1").contains("committed")))
  }

  @Test("A location from a wrong clock is corrected by a run with the offset.")
  func anew() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrong, words: "").make(in: scratch)
    try tool.run(list: Self.track + [file.path])
    #expect(try tags(file, ["GPSTimeStamp"]) == "08:14:20")
    // No other journal knows that it was the clock's time: the date may have been corrected.
    let words = Self.track + ["--offset", "+20m", "--overwrite", "replace", file.path]
    #expect(try Tool().run(list: words).text.contains("may have been corrected already"))
    #expect(try tags(file, ["GPSTimeStamp"]) == "08:14:20")
    #expect(try tool.run(list: words).status == 0)
    #expect(try tags(file, ["GPSTimeStamp"]) == "08:34:20")
    #expect(try tool("date", "check", file.path).status == 1)
  }

  @Test(
    "Dates that --offset corrected are reported, exported and repaired, whatever zone was kept.",
    arguments: ["20", "00"], [("+02:00", "10"), ("-04:00", "04"), ("+05:30", "13")])
  func recorded(second: String, zone: (offset: String, hour: String)) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrongWithOffset, words: "").make(in: scratch)
    // 08:14 in UTC.
    let minute = zone.offset == "+05:30" ? "44" : "14"
    let shown = "2024:05:18 \(zone.hour):\(minute):\(second)"
    try write(
      file,
      [
        "-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)", "-OffsetTimeOriginal=\(zone.offset)",
        "-OffsetTimeDigitized=\(zone.offset)",
      ])
    #expect(try tool.run(list: Self.track + ["--offset", "+20m", file.path]).status == 0)
    let method = second == "00" ? "GPS, track point" : "GPS, interpolated"
    #expect(try tags(file, ["GPSProcessingMethod", "GPSTimeStamp"]) == "\(method) 08:34:\(second)")
    // The photo proves it on any computer.
    let other = try Tool()
    let check = try other.run(list: ["date", "check", file.path])
    #expect(check.text.contains("metatag date shift +20m \(file.path)"), "\(check.text)")
    #expect(try other("export", "gpx", file.path).text.contains("<time>2024-05-18T08:34:\(second)Z</time>"))
    #expect(try other.run(list: ["date", "repair", "--apply", file.path]).status == 0)
    let right = zone.offset == "+05:30" ? "14:04" : "\(zone.hour):34"
    #expect(
      try tags(file, ["DateTimeOriginal", "OffsetTimeOriginal"]) == "2024:05:18 \(right):\(second) \(zone.offset)")
    // The name still has the time at its location.
    let again = try other.run(list: ["date", "check", file.path]).text
    #expect(!again.contains("gps-time") && !again.contains("date shift"), "\(again)")
  }

  @Test("--fix-dates reports how many photos keep their dates without a location, with a remedy.")
  func missed() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrong, words: "").make(in: scratch)
    let next = try ClockCase(kind: .wrong, words: "").make(in: scratch, day: 19)
    let words = Self.track + ["--offset", "+20m", "--fix-dates"]
    let recorded = "1 more has no position on the track and keeps its dates"
    let trial = try tool.run(list: words + ["--dry-run", file.path, next.path])
    #expect(trial.text.contains("\(recorded).\n"), "\(trial.text)")
    let run = try tool.run(list: words + [file.path, next.path])
    let command = "metatag date shift +20m --where '!location' \(file.path) \(next.path)"
    #expect(run.text.contains("\(recorded): \(command)"), "\(run.text)")
    let shift = ["date", "shift", "+20m", "--where", "!location", file.path, next.path]
    #expect(try tool.run(list: shift).status == 0)
    #expect(try tags(file, ["DateTimeOriginal"]) == "2024:05:18 10:34:20")
    #expect(try tags(next, ["DateTimeOriginal"]) == "2024:05:19 10:34:20")
  }

  @Test(
    "A clock known only to minutes is reported, and no offset is recorded from it.",
    arguments: [("09:32:00", true), ("10:30:00", false)])
  func stay(shown: String, isRight: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrong, words: "").make(in: scratch)
    try write(file, ["-DateTimeOriginal=2024:05:18 \(shown)", "-CreateDate=2024:05:18 \(shown)"])
    let points = (0..<60).map { minute in
      let place =
        ##"lat="46.36" lon="\##(minute < 22 || minute > 38 ? 14.09 + Double(abs(minute - 30)) / 100 : 14.09)""##
      return "<trkpt \(place)><time>2024-05-18T07:\(minute < 10 ? "0" : "")\(minute):00Z</time></trkpt>"
    }
    try scratch.write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8, as: "stay.gpx")
    let track = scratch.url.appending(path: "stay.gpx").path
    let run = try tool.run(
      list: [
        "geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--sync", "\(file.path)=46.36,14.09",
        "--max-stay", "20m", file.path,
      ])
    #expect(run.text.contains("give or take 8 min"), "\(run.text)\(run.errors)")
    #expect(run.text.contains("clock assumed to be right") == isRight)
    #expect(try tags(file, ["OffsetTimeOriginal"]) == "")
  }

  @Test("A date with the right local time isn't moved if only its zone is wrong.")
  func zone() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrongWithOffset, words: "", isPlaced: true).make(in: scratch)
    let shown = "2024:05:18 10:34:20"
    try write(
      file,
      [
        "-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)", "-OffsetTimeOriginal=-04:00",
        "-OffsetTimeDigitized=-04:00",
      ])
    #expect(try tool.run(list: ["date", "repair", "--apply", file.path]).status == 1)
    #expect(try tags(file, ["DateTimeOriginal"]) == shown)
  }
}
