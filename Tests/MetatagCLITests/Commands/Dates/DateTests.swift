import Foundation
import TestSupport
import Testing

/// The date commands as a whole.
@Suite("Date commands")
struct DateTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func sample(_ name: String) throws -> URL {
    try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
  }

  private func taken(_ photos: URL...) throws -> [String] {
    let shown = try tool("show", "--csv", scratch.url.path).text
    return photos.map { photo in
      let row = shown.split(whereSeparator: \.isNewline).first { $0.contains(photo.lastPathComponent) } ?? ""
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return cells.count > 2 ? String(cells[2]) : "no row"
    }
  }

  @Test(
    "sync-mtime lists a photo's sidecar in its row, also if only the sidecar was named.", arguments: ["tif", "xmp"])
  func syncSidecar(named: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    for ending in ["tif", "xmp"] {
      try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-06-ferns.\(ending)"))
    }
    let path = scratch.url.appending(path: "borealis-06-ferns.").path
    let rows = try WorkflowTests.rows(tool("date", "sync-mtime", "--camera-zone", "Z", "--json", path + named))
    #expect(rows.map { $0["path"] as? String } == [path + "tif"])
    let companions = rows.first?["companions"] as? [[String: Any]] ?? []
    #expect(companions.map { $0["path"] as? String } == [path + "xmp"])
  }

  @Test("A shift by months is equal for all files, reports cut days, and can be undone.")
  func months() throws {
    let (first, second) = (try sample("aurora-01-jetty.jpg"), try sample("borealis-01-lake.jpg"))
    try tool("date", "set", "2024-01-31T23:30:00", first.path)
    try tool("date", "set", "2024-02-15T10:00:00", second.path)
    let before = try [first, second].map { try Data(contentsOf: $0) }
    let dry = try tool("date", "shift", "+1 month", "--dry-run", "--explain", first.path, second.path)
    #expect(dry.text.contains("moved by +1mo, to the month's last day") && dry.text.contains("moved by +1mo\n"))
    let shift = try tool("date", "shift", "+1mo1h", second.path, first.path)
    #expect(shift.text.contains("2024-01-31 plus +1mo is 2024-02-29, the last day of its month"))
    #expect(try taken(first, second) == ["2024-03-01T00:30:00+02:00", "2024-03-15T11:00:00"])
    try tool("undo")
    #expect(try [first, second].map { try Data(contentsOf: $0) } == before)
  }

  @Test("A future date is written with a warning.")
  func future() throws {
    let photo = try sample("borealis-01-lake.jpg")
    for form in ["--dry-run", "--json"] {
      let answer = try tool("date", "set", "9000-01-01T00:00:00", form, photo.path)
      #expect(answer.status == 0 && answer.text.contains("the date is in the future"), "\(answer.text)")
    }
    #expect(try taken(photo) == ["9000-01-01T00:00:00"])
    #expect(!(try tool("date", "set", "2000-01-01T00:00:00", photo.path).text.contains("future")))
  }

  @Test("A sequence follows the names, whatever the argument order and the number of jobs.")
  func sequence() throws {
    let photo = try sample("borealis-05-no-date.jpg")
    let names = ["s_10.jpg", "s_2.jpg", "s_1.jpg"]
    let photos = names.map { scratch.url.appending(path: $0) }
    for copy in photos { try FileManager.default.copyItem(at: photo, to: copy) }
    let expected = ["1975-06-01T12:02:00", "1975-06-01T12:01:00", "1975-06-01T12:00:00"]
    for (jobs, order) in [("1", [0, 1, 2]), ("4", [2, 0, 1])] {
      let answer = try tool(
        "date", "sequence", "--start", "1975-06-01T12:00", "--step", "1m", "--jobs", jobs, photos[order[0]].path,
        photos[order[1]].path, photos[order[2]].path)
      #expect(answer.status == 0, "\(answer.text)\(answer.errors)")
      #expect(try taken(photos[0], photos[1], photos[2]) == expected)
      try tool("undo")
      #expect(try taken(photos[0]) == [""])
    }
    // By the existing dates: the last of the names is the first.
    for (index, time) in ["2000-01-01T00:00:02", "2000-01-01T00:00:01", "2000-01-01T00:00:03"].enumerated() {
      try tool("date", "set", time, photos[index].path)
    }
    try tool(
      "date", "sequence", "--start", "1980-01-01T00:00", "--order", "taken", photos[0].path, photos[1].path,
      photos[2].path)
    #expect(
      try taken(photos[0], photos[1], photos[2]) == [
        "1980-01-01T00:00:01", "1980-01-01T00:00:00", "1980-01-01T00:00:02",
      ])
    #expect(try tool("date", "sequence", "--start", "1980-01-01T00:00", "--step", "0s", photo.path).status == 64)
    #expect(try tool("date", "sequence", "--start", "9999-12-31T23:59:59", photos[0].path, photos[1].path).status == 2)
  }

  @Test("Photos that don't meet --where are no part of a sequence and keep their file times.")
  func condition() throws {
    let (first, second) = (try sample("aurora-01-jetty.jpg"), try sample("borealis-01-lake.jpg"))
    let meant = "camera == \"B2\""
    let before = try modified(first)
    #expect(
      try tool("date", "sequence", "--start", "1980-01-01T00:00", "--where", meant, first.path, second.path).status == 0
    )
    #expect(try taken(first, second) == ["2024-05-18T07:42:12.37+02:00", "1980-01-01T00:00:00"])
    #expect(
      try tool("date", "sync-mtime", "--camera-zone", "Z", "--where", meant, first.path, second.path).status == 0)
    #expect(try modified(second) == 315_532_800 && modified(first) == before)
  }

  @Test("Both files of a Live Photo get the same date of a sequence.")
  func livePhoto() throws {
    let (still, movie) = (try sample("cirrus-01-boat.heic"), try sample("cirrus-01-boat.mov"))
    #expect(try tool("date", "sequence", "--start", "1980-01-01T00:00", still.path).status == 0)
    #expect(try taken(still, movie) == ["1980-01-01T00:00:00+02:00", "1980-01-01T00:00:00+02:00"])
  }

  @Test("Files get their photo's time if it differs by more than a second, and undo restores it.")
  func syncMtime() throws {
    let photo = try sample("aurora-01-jetty.jpg")  // 2024-05-18T07:42:12.37+02:00
    let instant = 1_716_010_932.37
    let bytes = try Data(contentsOf: photo)
    for (distance, isChanged) in [(0.5, false), (-0.9, false), (1.5, true), (5, true), (-86_400, true)] {
      let old = Date(timeIntervalSince1970: instant + distance)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: photo.path)
      let row = try #require(try WorkflowTests.rows(try tool("date", "sync-mtime", "-n", "--json", photo.path)).first)
      let times = row["modified"] as? [String: String]
      #expect((times?["after"]?.hasPrefix("2024-05-18T05:42:12.37") ?? false) == isChanged, "\(row)")
      #expect((times?["before"] != nil) == isChanged && (row["reason"] == nil) == isChanged)
      let answer = try tool("date", "sync-mtime", photo.path)
      #expect(answer.status == 0 && answer.text.contains(isChanged ? ": changed" : ": unchanged"), "\(answer.text)")
      #expect(abs(try modified(photo) - (isChanged ? instant : instant + distance)) < 0.001)
      guard isChanged else { continue }
      #expect(try tool("undo").text.contains("old modification time restored"))
      #expect(abs(try modified(photo) - (instant + distance)) < 0.001)
    }
    #expect(try Data(contentsOf: photo) == bytes)
  }

  @Test("Without a zone no file time is guessed.")
  func syncMtimeZone() throws {
    let photo = try sample("borealis-01-lake.jpg")  // 2024-05-18T10:14:20, without a zone and a location
    let before = try modified(photo)
    let answer = try tool("date", "sync-mtime", photo.path)
    #expect(answer.status == 1 && answer.text.contains("Use --camera-zone."), "\(answer.text)")
    #expect(try modified(photo) == before)
    #expect(try tool("date", "sync-mtime", "--camera-zone", "+02:00", photo.path).status == 0)
    #expect(try modified(photo) == 1_716_020_060)
  }

  @Test("A photo without a date gets its file's time in the given zone, and the file keeps it.")
  func fromMtime() throws {
    let photo = try sample("borealis-05-no-date.jpg")
    let time = Date(timeIntervalSince1970: 1_716_020_060)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: photo.path)
    let answer = try tool("date", "from-mtime", photo.path)
    #expect(
      answer.status == 1 && answer.text.contains("(2024-05-18T08:14:20 in UTC). Use --zone."), "\(answer.text)")
    #expect(try tool("date", "from-mtime", "--zone", "Europe/Vienna", photo.path).status == 0)
    #expect(try taken(photo) == ["2024-05-18T10:14:20+02:00"])
    #expect(try modified(photo) == 1_716_020_060)
    #expect(try tool("date", "from-mtime", "--zone", "Z", photo.path).text.contains("already has a date"))
    let scan = try sample("cirrus-06-ducks.gif")
    let early = Date(timeIntervalSince1970: -100_000_000)
    try FileManager.default.setAttributes([.modificationDate: early], ofItemAtPath: scan.path)
    #expect(try tool("date", "from-mtime", "--zone", "Z", "--overwrite", "replace", scan.path).status == 0)
    #expect(try taken(scan) == ["1966-10-31T14:13:20+00:00"])
  }

  @Test("A date before 1970 for a movie with only headers needs a zone, or the movie is skipped.")
  func movieBefore1970() throws {
    let movie = try sample("borealis-07-swans.mp4")
    let before = try Data(contentsOf: movie)
    for command in [
      ["set", "1965-05-01T12:00:00"], ["sequence", "--start", "1965-05-01T12:00:00"], ["shift", "-60y"],
    ] {
      let run = try tool.run(list: ["date"] + command + [movie.path])
      #expect(
        run.status == 1 && run.text.contains("'metatag date set' with a time zone"), "\(run.text)")
      #expect(try Data(contentsOf: movie) == before)
    }
    for time in ["1965-05-01T12:00:00+01:00", "1960-01-01T00:00:00.7Z"] {
      #expect(try tool("date", "set", time, movie.path).status == 0)
      #expect(try taken(movie).first?.hasPrefix(time.prefix(19)) == true)
      #expect(try tool("date", "set", time, movie.path).text.contains("unchanged"))
    }
  }

  @Test("A pattern defines where the date is in the name.")
  func pattern() throws {
    let photo = scratch.url.appending(path: "aunt 01.06.1975 (2).jpg")
    try FileManager.default.copyItem(at: try sample("borealis-05-no-date.jpg"), to: photo)
    #expect(try tool("date", "from-name", photo.path).text.contains("no date in the file name"))
    let pattern = "* {DD}.{MM}.{YYYY} (*)"
    #expect(
      try tool("date", "from-name", "--pattern", pattern, photo.path).text.contains("1975-06-01. Use --time"))
    #expect(try tool("date", "from-name", "--pattern", pattern, "--time", "12:00", photo.path).status == 0)
    #expect(try taken(photo) == ["1975-06-01T12:00:00"])
    #expect(try tool("date", "from-name", "--pattern", "*", photo.path).status == 64)
  }

  private func modified(_ file: URL) throws -> Double {
    let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    return try #require(date).timeIntervalSince1970
  }

  @Test(
    "The GPS time is written as local time, and one copy of a date can set all.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func copies() throws {
    let photo = try sample("borealis-04-viewpoint.jpg")  // at 46.36, 14.08
    let tags = [
      "-GPSDateStamp=2024:12:31", "-GPSTimeStamp=23:30:00", "-XMP-photoshop:DateCreated=2024:05:18 11:41:05+02:00",
      "-IPTC:DateCreated=2024:05:18", "-IPTC:TimeCreated=12:41:05+03:00", "-IFD0:ModifyDate=2025:01:01 00:00:00",
    ]
    try #require(try Oracle.run("exiftool", ["-q", "-overwrite_original"] + tags + [photo.path]).status == 0)
    let bytes = try Data(contentsOf: photo)
    for (command, expected) in [
      (["from-gps", "--overwrite", "replace"], "2025-01-01T00:30:00+01:00"),
      (["from-gps", "--overwrite", "replace", "--zone", "America/New_York"], "2024-12-31T18:30:00-05:00"),
      (["copy", "--from", "xmp"], "2024-05-18T11:41:05+02:00"), (["copy", "--from", "modify"], "2025-01-01T00:00:00"),
    ] {
      let answer = try Oracle.run(Tool.program, ["date"] + command + [photo.path], environment: tool.environment())
      #expect(answer.status == 0, "\(answer.text)\(answer.errors)")
      #expect(try taken(photo) == [expected])
      let shown = try tool("show", "--json", photo.path).text
      #expect(!shown.contains("has another time") || !expected.contains("+"), "\(shown)")
      try tool("undo")
      #expect(try Data(contentsOf: photo) == bytes)
    }
    #expect(try tool("date", "from-gps", photo.path).text.contains("already has a date"))
    #expect(try tool("date", "copy", "--from", "quicktime", photo.path).text.contains("has no date of a movie"))
    let lake = try sample("borealis-01-lake.jpg")
    let answer = try tool("date", "from-gps", "--overwrite", "replace", lake.path)
    #expect(answer.status == 1 && answer.text.contains("no position with GPS time recorded"))
  }
}
