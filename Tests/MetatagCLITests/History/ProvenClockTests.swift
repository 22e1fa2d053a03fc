import Foundation
import TestSupport
import Testing

@Suite("Proof of wrong clocks", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct ProvenClockTests {
  let (tool, scratch): (Tool, Scratch)
  private let day = Corpus.project.appending(path: "SampleImages/day.gpx").path

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func write(_ file: URL, _ tags: [String]) throws {
    let answer = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [file.path])
    try #require(answer.status == 0, "\(answer.errors)")
  }

  private func tags(_ file: URL, _ names: String...) throws -> [String] {
    try Oracle.run("exiftool", ["-s3"] + names.map { "-\($0)" } + [file.path]).text.split(separator: "\n").map(
      String.init)
  }

  /// A photo of the true moment without a zone, from a clock that showed this time.
  private func photo(showing time: String) throws -> URL {
    let file = try renamed(try ClockCase(kind: .wrong, words: "").make(in: scratch))
    try write(file, ["-DateTimeOriginal=2024:05:18 \(time)", "-CreateDate=2024:05:18 \(time)"])
    return file
  }

  /// A copy of the file under a name without a date.
  private func renamed(_ file: URL) throws -> URL {
    let new = file.deletingLastPathComponent().appending(path: "a.\(file.pathExtension)")
    try FileManager.default.moveItem(at: file, to: new)
    return new
  }

  private func areTrue() throws -> Bool {
    try ClockCase.instants(in: scratch.url).values.allSatisfy { abs($0 - ClockCase.truth) <= 1.5 }
  }

  @Test(
    "After a correction, date check lists photos without a zone, with geotag's command.",
    arguments: [
      ("10:14:20", ["--offset", "+20m"]), ("11:00:07", ["--offset=-25m47s"]), ("09:34:20", ["--offset", "+1h"]),
      ("04:29:43", ["--offset", "+6h4m37s"]),
      ("09:14:20", ["--offset", "+20m", "--camera-zone", "Europe/London"]),
      ("10:14:20", ["--offset", "+20m", "--no-record-offset"]),
      ("10:14:20", ["--sync", "FILE=2024-05-18T10:34:20", "--camera-zone", "Europe/Ljubljana"]),
    ])
  func unzoned(shown: String, options: [String]) throws {
    let file = try photo(showing: shown)
    let words = options.map { $0.replacing("FILE", with: file.path) }
    let run = try tool.run(list: ["geotag", "--json", "--track", day] + words + [file.path])
    let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any] ?? [:]
    let camera = try #require((report["cameras"] as? [[String: Any]])?.first, "\(run.text)\(run.errors)")
    let command = try #require(camera["command"] as? String)
    let check = try tool("date", "check", file.path)
    #expect(check.status == 1 && check.text.hasSuffix(": \(command)\n"), "\(check.text)")
    let json = try JSONSerialization.jsonObject(with: try tool("date", "check", "--json", file.path).output)
    let found = try #require(((json as? [String: Any])?["cameras"] as? [[String: Any]])?.first)
    #expect(found["correction"] as? [String: Double] == camera["correction"] as? [String: Double])
    #expect(try tool.run(list: ["date", "repair", "--apply", file.path]).status == 0)
    #expect(try tool("date", "check", file.path).status == 0)
    // A clock of another zone still has that zone's time.
    let (hour, zone) = words.contains("Europe/London") ? ("09", "+01:00") : ("10", "+02:00")
    #expect(try tags(file, "DateTimeOriginal") == ["2024:05:18 \(hour):34:20"])
    try tool("date", "zone", zone, file.path)
    #expect(try areTrue())
  }

  @Test(
    "A right clock is not a finding, whatever zone was assumed.",
    arguments: [
      ("10:34:20", ["--no-record-offset"]), ("09:34:20", ["--no-record-offset", "--camera-zone", "Europe/London"]),
      ("14:04:20", ["--no-record-offset", "--camera-zone", "+05:30"]), ("10:34:20", ["--offset", "+1s"]),
      ("10:34:20", ["--no-record-offset", "--sync", "FILE=2024-05-18T08:34:20Z"]),
    ])
  func right(shown: String, options: [String]) throws {
    let file = try photo(showing: shown)
    let words = options.map { $0.replacing("FILE", with: file.path) }
    #expect(try tool.run(list: ["geotag", "--track", day] + words + [file.path]).status == 0)
    let check = try tool("date", "check", file.path)
    #expect(check.status == 0, "\(check.text)")
  }

  @Test(
    "Without the journal, only an error that no zone explains is a finding, with its zone.",
    arguments: [("10:14:20", "+20m", true), ("09:34:20", "+1h", false)])
  func journalless(shown: String, offset: String, isFound: Bool) throws {
    let file = try photo(showing: shown)
    #expect(try tool.run(list: ["geotag", "--track", day, "--offset", offset, file.path]).status == 0)
    let check = try Tool()("date", "check", file.path)
    #expect(check.status == (isFound ? 1 : 0))
    #expect(check.text.contains("read in Europe/Ljubljana") == isFound, "\(check.text)")
    #expect(check.text.contains("metatag date shift +20m \(file.path)") == isFound)
  }

  // MARK: Raw files

  /// A raw file of a slow clock, with or without a sidecar.
  private func raw(hasSidecar: Bool = true) throws -> (file: URL, sidecar: URL) {
    let named = try ClockCase(kind: .raw, words: "").make(in: scratch)
    let sidecar = try renamed(named.deletingPathExtension().appendingPathExtension("xmp"))
    let file = try renamed(named)
    guard !hasSidecar else { return (file, sidecar) }
    try FileManager.default.removeItem(at: sidecar)
    return (file, file.appendingPathExtension("xmp"))
  }

  @Test("A sidecar with metatag's correction agrees with its raw file, and another program's doesn't.")
  func corrected() throws {
    for (hasSidecar, words) in [
      (true, "geotag --track \(day) --camera-zone Europe/Ljubljana --offset +20m --fix-dates FILE"),
      (false, "geotag --track \(day) --camera-zone Europe/Ljubljana --offset +20m --fix-dates FILE"),
      (true, "date shift +20m FILE"), (false, "date shift +20m FILE"),
    ] {
      let (file, sidecar) = try raw(hasSidecar: hasSidecar)
      let list = words.split(separator: " ").map { $0 == "FILE" ? file.path : String($0) }
      #expect(try tool.run(list: list).status == 0)
      let check = try tool("date", "check", file.path)
      #expect(check.status == 0, "\(words): \(check.text)")
      // A later run that keeps the date changes nothing about it.
      try tool("set", "--title", "Lake", file.path)
      #expect(try tool("date", "check", file.path).status == 0)
      // Without the journal its author is unknown.
      #expect(try Tool()("date", "check", file.path).text.contains("sidecar: DateTimeOriginal"))
      try write(sidecar, ["-XMP-exif:DateTimeOriginal=2024:05:18 12:00:00"])
      #expect(try tool("date", "check", file.path).text.contains("sidecar: DateTimeOriginal"))
      for item in try FileManager.default.contentsOfDirectory(at: scratch.url, includingPropertiesForKeys: nil) {
        try FileManager.default.removeItem(at: item)
      }
    }
  }

  @Test("A raw file whose sidecar came from a date shift isn't corrected again.")
  func shifted() throws {
    let (file, sidecar) = try raw(hasSidecar: false)
    #expect(try tool("date", "shift", "+20m", file.path).status == 0)
    let before = try Data(contentsOf: sidecar)
    let run = try tool.run(list: ["geotag", "--track", day, "--offset", "+20m", "--fix-dates", file.path])
    #expect(run.status == 1 && run.text.contains("may have been corrected already"), "\(run.text)")
    #expect(try Data(contentsOf: sidecar) == before)
  }

  @Test("An undone correction in a sidecar no longer counts.")
  func undone() throws {
    let (file, _) = try raw()
    #expect(try tool("date", "shift", "+20m", file.path).status == 0)
    try tool("undo")
    #expect(try tool("date", "check", file.path).status == 0)
    try tool("date", "zone", "Europe/Ljubljana", file.path)
    #expect(try tool("date", "check", file.path).status == 0)
  }

  @Test("A false offset in a sidecar is found by its GPS time and repaired there.", arguments: [false, true])
  func older(isNamedLikeCameras: Bool) throws {
    let file = try ClockCase(kind: .raw, words: "", isPlaced: true).make(in: scratch)
    let sidecar = file.deletingPathExtension().appendingPathExtension("xmp")
    var text = try String(contentsOf: sidecar, encoding: .utf8)
      .replacing("2024-05-18T10:14:20\"", with: "2024-05-18T10:14:20+02:00\"")
    if isNamedLikeCameras { text = text.replacing("GPS, interpolated", with: "GPS") }
    try text.write(to: sidecar, atomically: false, encoding: .utf8)
    let (raw, check) = (try Data(contentsOf: file), try tool("date", "check", file.path))
    // A fix later than its photo isn't the camera's.
    #expect(check.status == 1 && check.text.contains("GPSTimeStamp (sidecar)"), "\(check.text)")
    guard !isNamedLikeCameras else { return }
    #expect(check.text.contains("metatag date shift +20m \(file.path)"), "\(check.text)")
    #expect(try tool("date", "repair", "--apply", file.path).status == 0)
    #expect(try tool("date", "check", file.path).status == 0)
    #expect(try areTrue() && raw == Data(contentsOf: file))
  }

  // MARK: Clocks known only to minutes

  /// A track that stays from 7:22 to 7:38 UTC.
  private func stay() throws -> String {
    let points = (0..<60).map { minute in
      let place =
        ##"lat="46.36" lon="\##(minute < 22 || minute > 38 ? 14.09 + Double(abs(minute - 30)) / 100 : 14.09)""##
      return "<trkpt \(place)><time>2024-05-18T07:\(minute < 10 ? "0" : "")\(minute):00Z</time></trkpt>"
    }
    try scratch.write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8, as: "stay.gpx")
    return scratch.url.appending(path: "stay.gpx").path
  }

  @Test("A clock known only to minutes corrects no dates and writes no GPS time.")
  func vague() throws {
    let file = try photo(showing: "10:30:00")
    let words = [
      "geotag", "--track", try stay(), "--camera-zone", "Europe/Ljubljana", "--sync", "\(file.path)=46.36,14.09",
      "--max-stay", "20m",
    ]
    for options in [[], ["--fix-dates"]] {
      let run = try tool.run(list: words + options + [file.path])
      #expect(run.status == 0 && run.text.contains("give or take 8 min 1 s. Dates not corrected"), "\(run.text)")
      #expect(run.text.contains("--sync with a photo of a clock") && !run.text.contains("date shift -"), "\(run.text)")
      #expect(
        try tags(file, "DateTimeOriginal", "OffsetTimeOriginal", "GPSTimeStamp", "GPSDateStamp")
          == ["2024:05:18 10:30:00"])
      #expect(try tags(file, "GPSLatitude").count == 1)
      #expect(try tool("date", "check", file.path).status == 0)
      if options.isEmpty { try tool("undo") }
    }
    // A photo that keeps its location is skipped too, with the reason.
    let kept = try tool.run(list: words + ["--fix-dates", file.path])
    #expect(kept.status == 1 && kept.text.contains("± 8 min"), "\(kept.text)")
    #expect(try tags(file, "DateTimeOriginal") == ["2024:05:18 10:30:00"])
    // The requested photo of a clock corrects it.
    let exact = ["--sync", "\(file.path)=2024-05-18T07:35:10Z", "--fix-dates", file.path]
    #expect(try tool.run(list: Array(words.prefix(5)) + exact).status == 0)
    #expect(try tags(file, "DateTimeOriginal") == ["2024:05:18 09:35:10"])
  }

  @Test("A photo of a clock takes precedence over a long stay.")
  func exact() throws {
    let file = try photo(showing: "10:30:00")
    let run = try tool.run(
      list: [
        "geotag", "--track", try stay(), "--camera-zone", "Europe/Ljubljana", "--sync", "\(file.path)=46.36,14.09",
        "--max-stay", "20m", "--sync", "\(file.path)=2024-05-18T07:35:10Z", "--fix-dates", file.path,
      ])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(try tags(file, "DateTimeOriginal", "GPSTimeStamp") == ["2024:05:18 09:35:10", "07:35:10"])
  }

  // MARK: The date of the last change

  @Test(
    "The date of the last change moves if the camera wrote it, and stays if a program did.",
    arguments: [
      "geotag --track DAY --offset +20m --fix-dates FILE", "date shift +20m FILE",
      "geotag --track DAY --offset +20m --fix-dates --plan DIR/plan.json FILE && apply DIR/plan.json",
      "geotag --track DAY --offset +20m FILE && date repair --apply FILE",
    ], [true, false])
  func modified(command: String, isCamera: Bool) throws {
    let file = try ClockCase(kind: .wrongWithOffset, words: "").make(in: scratch)
    let old = isCamera ? "2024:05:18 10:14:20" : "2024:05:20 21:00:00"
    try write(file, ["-IFD0:ModifyDate=\(old)", "-OffsetTime=\(isCamera ? "+02:00" : "+09:00")", "-SubSecTime=25"])
    let before = try Data(contentsOf: file)
    let commands = command.components(separatedBy: " && ")
    for command in commands {
      let words = command.split(separator: " ").map {
        $0.replacing("FILE", with: file.path).replacing("DIR", with: scratch.url.path).replacing("DAY", with: day)
      }
      let answer = try tool.run(list: words.map { String($0) })
      #expect(answer.status == 0, "\(answer.text)\(answer.errors)")
    }
    #expect(try tags(file, "DateTimeOriginal") == ["2024:05:18 10:34:20"])
    let new = isCamera ? ["2024:05:18 10:34:20", "+02:00", "25"] : [old, "+09:00", "25"]
    #expect(try tags(file, "IFD0:ModifyDate", "OffsetTime", "SubSecTime") == new)
    #expect(try tool("date", "check", file.path).status == 0)
    #expect(try !isCamera || areTrue())
    for _ in commands where !command.contains("--plan") { try tool("undo") }
    if command.contains("--plan") { try tool("undo") }
    #expect(try Data(contentsOf: file) == before)
  }
}
