import Foundation
import TestSupport
import Testing

/// The geotag command with tracks.
@Suite("Geotagging from tracks")
struct GeotagTrackTests {
  static let samples = Corpus.project.appending(path: "SampleImages")

  /// Dry runs, which keep the sample photos as they are.
  static func geotag(_ arguments: [String], _ photo: String) throws -> Oracle.Answer {
    let tool = try Tool()
    return try Oracle.run(
      Tool.program, ["geotag", "--dry-run"] + arguments + [samples.appending(path: photo).path],
      environment: tool.environment())
  }

  static func gpx(_ scratch: Scratch, _ name: String, _ points: String...) throws -> String {
    let fixes = points.map { point in
      let words = point.split(separator: " ")
      return "<trkpt lat=\"\(words[0])\" lon=\"\(words[1])\">\(words.count > 3 ? "<hdop>\(words[3])</hdop>" : "")"
        + "<time>\(words[2])</time></trkpt>"
    }
    let text = "<gpx><trk><trkseg>\(fixes.joined())</trkseg></trk></gpx>"
    return try scratch.write(Array(text.utf8), as: name).path
  }

  @Test("--explain shows fixes, distances, zone and clock error.")
  func explain() throws {
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let zone = try GeotagTrackTests.geotag(["--track", day, "--explain"], "borealis-01-lake.jpg")
    let pattern = #/\n    between fixes 20 s before \(\d+ m\) and 40 s after \(\d+ m\); camera time /#
    #expect(zone.text.contains(pattern), "\(zone.text)")
    #expect(zone.text.contains("2024-05-18T10:14:20+02:00 by Europe/Ljubljana, the zone of the place\n"))
    let slow = try GeotagTrackTests.geotag(["--track", day, "--explain", "--offset", "+1h23m"], "aurora-01-jetty.jpg")
    #expect(slow.text.contains("2024-05-18T07:42:12.37+02:00 by its own offset, 83 min slow\n"), "\(slow.text)")
    #expect(!(try GeotagTrackTests.geotag(["--track", day], "borealis-01-lake.jpg")).text.contains("fixes"))
  }

  @Test("JSON has the fixes with distances and the zone with its source.")
  func json() throws {
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let answer = try GeotagTrackTests.geotag(
      ["--track", day, "--jsonl", "--offset", "+1h23m"], "aurora-01-jetty.jpg")
    let row = try #require(try JSONSerialization.jsonObject(with: answer.output) as? [String: Any])
    let match = try #require(row["match"] as? [String: Any])
    let clock = try #require(match["clock"] as? [String: Any])
    #expect(match["instant"] as? String == "2024-05-18T07:05:12.37+00:00" && match["method"] as? String == "between")
    #expect(clock["offset"] as? String == "+02:00" && clock["from"] as? String == "photo")
    #expect(clock["correction"] as? Double == 4_980)
    let fixes = try #require(match["fixes"] as? [[String: Any]])
    #expect(fixes.map { $0["seconds"] as? Double } == [-12.37, 47.63])
    for name in ["time", "latitude", "longitude", "metres"] { #expect(fixes.allSatisfy { $0[name] != nil }) }
  }

  // It is unknown which one is this photographer's: the decision is reported, and is the same each time.
  @Test("Conflicting tracks are reported with time and distance, and their order doesn't matter.")
  func conflict() throws {
    let scratch = try Scratch()
    let paths = try [("a", "46.36 14.09"), ("b", "46.46 14.19")].map { name, place in
      try GeotagTrackTests.gpx(
        scratch, "\(name).gpx", "\(place) 2024-05-18T08:14:00Z", "\(place) 2024-05-18T08:15:00Z")
    }
    let answers = try [paths, paths.reversed()].map { paths in
      try GeotagTrackTests.geotag(paths.flatMap { ["--track", $0] } + ["--jsonl"], "borealis-01-lake.jpg")
    }
    #expect(answers[0].output == answers[1].output)
    let note = #/a\.gpx and b\.gpx are \d+ m apart at 2024-05-18T08:14:00\+00:00: photos of that time/#
    #expect(answers[0].errors.contains(note), "\(answers[0].errors)")
  }

  @Test("A camera's track places only its photos, and photos of other cameras are named.")
  func owners() throws {
    let scratch = try Scratch()
    let own = try GeotagTrackTests.gpx(
      scratch, "a=b.gpx", "46.46 14.19 2024-05-18T08:14:00Z", "46.46 14.19 2024-05-18T08:15:00Z")
    let placed = try GeotagTrackTests.geotag(["--track-of", "Borealis=\(own)"], "borealis-01-lake.jpg")
    #expect(placed.status == 0 && placed.text.contains("46.46, 14.19"), "\(placed.text)\(placed.errors)")
    let other = try GeotagTrackTests.geotag(["--track-of", "Borealis=\(own)"], "aurora-01-jetty.jpg")
    #expect(other.status == 1 && other.text.contains("no track of its camera"), "\(other.text)")
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let both = try GeotagTrackTests.geotag(
      ["--track", day, "--track-of", "Borealis=\(own)", "--offset", "+1h23m"], "aurora-01-jetty.jpg")
    #expect(both.status == 0 && !both.errors.contains("apart at"), "\(both.text)\(both.errors)")
    let usage = try GeotagTrackTests.geotag(["--track-of", "day.gpx"], "aurora-01-jetty.jpg")
    #expect(usage.status == 64 && usage.errors.contains("X-T4=alice.gpx"), "\(usage.errors)")
  }

  @Test("A movie with a time only in its headers needs a zone.")
  func header() throws {
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let asked = try GeotagTrackTests.geotag(["--track", day], "borealis-07-swans.mp4")
    #expect(asked.status == 1, "\(asked.text)")
    #expect(
      asked.text.contains(
        "video time has no time zone (2024-05-18T10:48:00). Use --camera-zone Z if it is UTC"),
      "\(asked.text)")
    let local = try GeotagTrackTests.geotag(
      ["--track", day, "--explain", "--camera-zone", "Europe/Ljubljana"], "borealis-07-swans.mp4")
    #expect(local.status == 0 && local.text.contains("2024-05-18T10:48:00+02:00 by zone"), "\(local.text)")
    let utc = try GeotagTrackTests.geotag(
      ["--track", day, "--nearest-within", "3h", "--camera-zone", "Z"], "borealis-07-swans.mp4")
    #expect(utc.status == 0, "\(utc.text)")
  }

  @Test("sync-mtime also needs a zone for such a movie, even if it has a location.")
  func headerAndMtime() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let movie = try scratch.copy(GeotagTrackTests.samples.appending(path: "borealis-07-swans.mp4")).path
    for _ in 0..<2 {
      let asked = try tool("date", "sync-mtime", "--dry-run", movie)
      #expect(asked.status == 1, "\(asked.text)")
      #expect(asked.text.contains("no time zone (2024-05-18T10:48:00). Use --camera-zone Z if it is UTC"))
      #expect(try tool("geotag", "--at", "46.3625,14.0937", movie).status == 0)
    }
    let utc = try tool("date", "sync-mtime", "--camera-zone", "Z", movie)
    #expect(utc.status == 0 && utc.text.contains("→ 2024-05-18T10:48:00+00:00"), "\(utc.text)")
  }

  @Test("A fix at 0, 0 is ignored, and a plan with 0, 0 is refused.")
  func zero() throws {
    let scratch = try Scratch()
    let track = try GeotagTrackTests.gpx(
      scratch, "t.gpx", "46.36 14.09 2024-05-18T08:14:00Z", "0 0 2024-05-18T08:14:30Z",
      "46.36 14.09 2024-05-18T08:15:00Z")
    let placed = try GeotagTrackTests.geotag(["--track", track], "borealis-01-lake.jpg")
    #expect(placed.status == 0 && placed.text.contains("46.36, 14.09"), "\(placed.text)")
    #expect(placed.errors.contains("1 point without a fix or at 0, 0 left out"), "\(placed.errors)")
    let plan = scratch.url.appending(path: "p.jsonl").path
    let photo = GeotagTrackTests.samples.appending(path: "borealis-01-lake.jpg").path
    let refused = try Tool()("geotag", "--at", "0,0", "--plan", plan, photo)
    #expect(refused.status == 2 && refused.errors.contains("no GPS fix"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: plan))
  }

  @Test("--sync refuses --offset and impossible times, and names what it can't correct.")
  func sync() throws {
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let (jetty, lake) = ("aurora-01-jetty.jpg", "borealis-01-lake.jpg")
    func sync(_ name: String, _ time: String) -> [String] {
      ["--sync", "\(GeotagTrackTests.samples.appending(path: name).path)=\(time)"]
    }
    let track = ["--track", day]
    let both = try GeotagTrackTests.geotag(track + ["--offset", "+5m"] + sync(jetty, "2024-05-18T07:05:12Z"), jetty)
    #expect(both.status == 64 && both.errors.contains("--offset and --sync can't be used together"), "\(both.errors)")
    let absurd = try GeotagTrackTests.geotag(
      track + sync(jetty, "2024-05-18T07:05:12Z") + sync("aurora-02-island.jpg", "2023-05-18T07:31:40Z"), jetty)
    #expect(absurd.status == 2 && absurd.errors.contains("one of the times is wrong"), "\(absurd.errors)")
    let idle = try GeotagTrackTests.geotag(track + sync(jetty, "2024-05-18T07:05:12Z"), lake)
    #expect(idle.status == 0 && idle.errors.contains("aurora-01-jetty.jpg: its camera took none of the photos"))
    let used = try GeotagTrackTests.geotag(track + sync(jetty, "2024-05-18T07:05:12Z"), "aurora-02-island.jpg")
    #expect(used.status == 0 && !used.errors.contains("took none of the photos"), "\(used.errors)")
  }

  @Test("--sync refuses a folder, with or without photos in it.")
  func syncOfFolder() throws {
    let scratch = try Scratch()
    let jetty = GeotagTrackTests.samples.appending(path: "aurora-01-jetty.jpg").path
    for folder in [scratch.url.path, GeotagTrackTests.samples.path] {
      let track = GeotagTrackTests.samples.appending(path: "day.gpx").path
      let run = try Tool().run(
        list: ["geotag", "--dry-run", "--track", track, "--sync", "\(folder)=2024-05-01T10:00:00", jetty])
      #expect(run.status == 2 && run.errors.contains("is a folder: --sync takes one photo"), "\(run.errors)")
    }
  }

  @Test("--sync of one camera names the others, which are placed by their own clocks.")
  func othersOfSync() throws {
    let photo = { (name: String) in GeotagTrackTests.samples.appending(path: name).path }
    let words = ["geotag", "--dry-run", "--track", photo("day.gpx"), "--sync"]
    let others = ["borealis-01-lake.jpg", "borealis-03-falls.jpg", "borealis-05-no-date.jpg"].map(photo)
    let jetty = photo("aurora-01-jetty.jpg")
    let run = try Tool().run(list: words + ["\(jetty)=2024-05-18T07:05:12Z", jetty] + others)
    #expect(
      run.errors.contains("Borealis B2: no --sync photo; 2 photos are matched by its uncorrected clock\n"),
      "\(run.errors)")
    #expect(!run.errors.contains("A1-000042: no --sync"))
    let one = try Tool().run(list: words + ["\(jetty)=2024-05-18T07:05:12Z", jetty, others[0]])
    #expect(one.errors.contains("no --sync photo; 1 photo is matched by"), "\(one.errors)")
  }

  @Test("--sync reports whether a clock was right, and whether it gains or loses.")
  func wordsOfSync() throws {
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    func errors(_ clockReferences: (String, String)...) throws -> String {
      let words = clockReferences.flatMap { name, time in
        ["--sync", "\(GeotagTrackTests.samples.appending(path: name).path)=\(time)"]
      }
      return try GeotagTrackTests.geotag(["--track", day] + words, "aurora-01-jetty.jpg").errors
    }
    // The camera recorded 05:42:12.37Z and 10:44:30.37Z.
    let (jetty, bridge) = ("aurora-01-jetty.jpg", "aurora-05-bridge.jpg")
    #expect(
      try errors((jetty, "2024-05-18T05:42:22.37Z"), (bridge, "2024-05-18T10:44:30.37Z"))
        .contains("was 10s slow, gaining 47.6 s a day"))
    #expect(
      try errors((jetty, "2024-05-18T05:42:12.37Z"), (bridge, "2024-05-18T10:44:40.37Z"))
        .contains("was right, losing 47.6 s a day"))
    #expect(try errors((jetty, "2024-05-18T05:42:12.361Z")).contains("the camera's clock was right\n"))
  }

  @Test("Imprecise points are left out and counted.")
  func imprecise() throws {
    let scratch = try Scratch()
    let track = try GeotagTrackTests.gpx(
      scratch, "t.gpx", "46.36 14.09 2024-05-18T08:14:00Z 1", "46.40 14.09 2024-05-18T08:14:20Z 9",
      "46.36 14.09 2024-05-18T08:15:00Z 1")
    let all = try GeotagTrackTests.geotag(["--track", track], "borealis-01-lake.jpg")
    let good = try GeotagTrackTests.geotag(["--track", track, "--max-dop", "6"], "borealis-01-lake.jpg")
    #expect(all.text.contains("46.4, 14.09") && good.text.contains("46.36, 14.09"), "\(good.text)")
    #expect(good.errors.contains("1 point with a greater dilution of precision than allowed left out"))
  }

  @Test("A GPS week rollover is reported with a remedy.")
  func rollover() throws {
    let scratch = try Scratch()
    // 1,024 weeks before 18 May 2024.
    let track = try GeotagTrackTests.gpx(
      scratch, "t.gpx", "46.36 14.09 2004-10-02T08:14:00Z", "46.36 14.09 2004-10-02T08:15:00Z")
    let arguments = ["--track", track, "--camera-zone", "Europe/Ljubljana"]
    let recorded = try GeotagTrackTests.geotag(arguments, "borealis-01-lake.jpg")
    #expect(recorded.text.contains("Use --add-weeks 1024."), "\(recorded.text)")
    let right = try GeotagTrackTests.geotag(arguments + ["--add-weeks", "1024"], "borealis-01-lake.jpg")
    #expect(right.text.contains("46.36, 14.09"), "\(right.text)")
  }

  @Test("--overwrite if-better keeps a location of unknown precision, and says so.")
  func ifBetter() throws {
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let answer = try GeotagTrackTests.geotag(
      ["--track", day, "--overwrite", "if-better"], "borealis-04-viewpoint.jpg")
    #expect(
      answer.text.contains("unchanged: already has a location that is not known to be less precise (error recorded: "))
  }
}
