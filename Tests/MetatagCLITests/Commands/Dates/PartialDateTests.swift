import Foundation
import TestSupport
import Testing

@Suite(
  "Dates of a year, month or day",
  .enabled(if: Oracle.has("exiftool") && Oracle.has("exiv2"), "exiftool or exiv2 is missing"))
struct PartialDateTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func sample(_ name: String) throws -> URL {
    try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
  }

  private func tags(_ photo: URL) throws -> [String: any Sendable] {
    try #require(try exiftool([], scratch.url)[photo.path])
  }

  private func taken(_ photo: URL) throws -> String? {
    let text = try tool("show", "--jsonl", photo.path)
    let row = try JSONSerialization.jsonObject(with: text.output) as? [String: any Sendable]
    return row?["taken"] as? String
  }

  @Test(
    "A partial date is written in every format, nothing is invented, and undo restores every byte.",
    arguments: [
      "aurora-01-jetty.jpg", "borealis-05-no-date.jpg", "borealis-06-ferns.tif", "cirrus-02-meadow.heic",
      "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "borealis-09-moss.jxl", "aurora-07-church.avif",
      "cirrus-06-ducks.gif",
    ])
  func everyFormat(name: String) throws {
    let photo = try sample(name)
    let (hash, before) = (try sha256(photo), try tags(photo))
    for (date, exif, iptc) in [
      ("1975", "1975:  :     :  :  ", "1975:00:00"), ("1975-06", "1975:06:     :  :  ", "1975:06:00"),
      ("1975-06-12", "1975:06:12   :  :  ", "1975:06:12"),
    ] {
      let set = try tool("date", "set", date, "--jsonl", photo.path)
      #expect(set.status == 0, "\(set.text)")
      #expect(set.text.contains("\"after\":{\"taken\":\"\(date)\""), "\(set.text)")
      let after = try tags(photo)
      if !name.hasSuffix("gif") { #expect(after["ExifIFD:DateTimeOriginal"] as? String == exif, "\(name)") }
      for key in ["XMP-photoshop:DateCreated", "XMP-exif:DateTimeOriginal"] where before[key] != nil {
        #expect("\(after[key] ?? "none")" == date.replacing("-", with: ":"), "\(name) \(key)")
      }
      if before["IPTC:DateCreated"] != nil { #expect(after["IPTC:DateCreated"] as? String == iptc) }
      for key in ["ExifIFD:SubSecTimeOriginal", "ExifIFD:OffsetTimeOriginal", "IPTC:TimeCreated"] {
        #expect(after[key] == nil, "\(key)")
      }
      for key in ["ExifIFD:CreateDate", "ExifIFD:OffsetTimeDigitized", "XMP-xmp:CreateDate", "IFD0:ModifyDate"] {
        #expect("\(after[key] ?? "none")" == "\(before[key] ?? "none")", "\(key)")
      }
      #expect(try taken(photo) == date)
      #expect(try tool("date", "set", date, photo.path).text.contains("unchanged"))
    }
    for _ in 0..<3 { #expect(try tool("undo").status == 0) }
    #expect(try sha256(photo) == hash)
  }

  @Test("A day moves by whole days and months, is replaced by a time on it, and stays otherwise.")
  func days() throws {
    let photo = try sample("aurora-01-jetty.jpg")
    #expect(try tool("date", "set", "1975-06-12", photo.path).status == 0)
    let hash = try sha256(photo)
    for command in [["shift", "+1h"], ["zone", "+01:00"], ["sync-mtime"], ["repair"]] {
      let run = try tool.run(list: ["date"] + command + [photo.path])
      #expect(run.status == 1 && run.text.contains("only the day is recorded, 1975-06-12"), "\(command) \(run.text)")
    }
    #expect(try sha256(photo) == hash)
    let check = try tool("date", "check", photo.path)
    #expect(!check.text.contains("capture-day") && !check.text.contains("malformed"), "\(check.text)")
    for (condition, isMet) in [("taken == 1975-06-12", true), ("taken < 1975-06-12", false), ("taken", true)] {
      #expect(try tool("show", "--jsonl", "--where", condition, photo.path).text.contains("jetty") == isMet)
    }
    #expect(try tool("date", "shift", "+1mo2d", photo.path).status == 0)
    #expect(try taken(photo) == "1975-07-14")
    for (name, after) in [
      ("IMG_19750715_101112.jpg", "1975-07-14"), ("IMG_19750714_101112.jpg", "1975-07-14T10:11:12"),
    ] {
      let named = scratch.url.appending(path: name)
      try FileManager.default.copyItem(at: photo, to: named)
      let run = try tool("date", "from-name", "--overwrite", "keep", named.path)
      #expect(run.status == 0 && run.text.contains("already has a date") == (after.count == 10), "\(run.text)")
      #expect(try taken(named) == after)
    }
    #expect(try tool("clear", "--all", "--keep", "date", photo.path).status == 0)
    #expect(try taken(photo) == "1975-07-14")
  }

  @Test("An exported table restores the same partial dates.", arguments: ["1975", "1975-06", "1975-06-12"])
  func table(date: String) throws {
    let photo = try sample("aurora-01-jetty.jpg")
    #expect(try tool("date", "set", date, photo.path).status == 0)
    #expect(try tool("geotag", "--at", "46.3,14.1", "--overwrite", "replace", photo.path).status == 0)
    let table = scratch.url.appending(path: "places.csv")
    try tool("export", "csv", photo.path).output.write(to: table)
    #expect(try String(contentsOf: table, encoding: .utf8).contains(",\(date),"))
    #expect(try tool("date", "set", "1980", photo.path).status == 0)
    #expect(try tool("import-csv", table.path, "--signed").text.contains("already has a date"))
    #expect(try tool("import-csv", table.path, "--signed", "--overwrite", "replace").status == 0)
    #expect(try taken(photo) == date)
  }

  @Test("A name with only a day sets that day on request.")
  func dayOfName() throws {
    let photo = try sample("borealis-05-no-date.jpg")
    let named = scratch.url.appending(path: "IMG-19750612-WA0007.jpg")
    try FileManager.default.moveItem(at: photo, to: named)
    #expect(try tool("date", "from-name", named.path).text.contains("Use --time 12:00 or --day-only."))
    #expect(try tool("date", "from-name", "--day-only", named.path).status == 0)
    #expect(try taken(named) == "1975-06-12")
    #expect(try tool("date", "from-name", "--day-only", named.path).text.contains("already has a date"))
    #expect(try tool("date", "set", "1975-06-12T10:00:00", named.path).status == 0)
    let again = try tool("date", "from-name", "--day-only", "--overwrite", "replace", named.path)
    #expect(again.status == 0 && again.text.contains("unchanged: nothing to do"), "\(again.text)")
    #expect(try taken(named)?.hasPrefix("1975-06-12T10:00:00") == true)
    #expect(try tool("date", "from-name", "--day-only", "--time", "12:00", named.path).status == 64)
  }

  @Test("Years and months move a partial date, and commands that need an instant skip it.")
  func shifts() throws {
    let photo = try sample("aurora-01-jetty.jpg")
    #expect(try tool("date", "set", "1975", photo.path).status == 0)
    let hash = try sha256(photo)
    for command in [
      ["date", "shift", "+1h"], ["date", "shift", "+1mo"], ["date", "shift", "+40d"], ["date", "zone", "+01:00"],
      ["date", "zone", "Asia/Tokyo", "--keep-instant"], ["date", "sync-mtime"],
      ["geotag", "--track", Corpus.project.appending(path: "SampleImages/day.gpx").path, "--overwrite", "replace"],
    ] {
      let run = try tool.run(list: command + [photo.path])
      #expect(
        run.status == 1 && run.text.contains("only the year is recorded, 1975"), "\(command) \(run.text)")
      #expect(try sha256(photo) == hash, "\(command)")
    }
    #expect(try tool("date", "from-name", "--overwrite", "keep", photo.path).text.contains("already has a date"))
    #expect(try tool("date", "shift", "-1y", photo.path).status == 0)
    #expect(try taken(photo) == "1974")
    #expect(try tool("date", "set", "1975-12", photo.path).status == 0)
    #expect(try tool("date", "shift", "+1mo", photo.path).status == 0)
    #expect(try taken(photo) == "1976-01")
    #expect(try tool("date", "set", "1976-01-02T10:00:00", photo.path).status == 0)
    #expect(try taken(photo)?.hasPrefix("1976-01-02T10:00:00") == true)
    for _ in 0..<5 { #expect(try tool("undo").status == 0) }
  }

  @Test("A condition holds for a partial date only if it holds throughout, and check finds another year.")
  func conditionsAndCheck() throws {
    let photo = try sample("aurora-01-jetty.jpg")
    #expect(try tool("date", "set", "1975", photo.path).status == 0)
    for (condition, isMet) in [
      ("taken >= 1975", true), ("taken >= 1975-01-01", true), ("taken >= 1975-06", false), ("taken < 1976", true),
      ("taken <= 1975-06", false), ("taken == 1975", true), ("taken == 1975-06", false), ("taken > 1974-12-31", true),
      ("taken", true), ("!taken", false), ("taken != 1974", true),
    ] {
      let rows = try tool("show", "--jsonl", "--where", condition, photo.path).text
      #expect(rows.contains("jetty") == isMet, "\(condition) \(rows)")
    }
    let agreed = try tool("date", "check", photo.path)
    #expect(!agreed.text.contains("capture-day") && !agreed.text.contains("malformed"), "\(agreed.text)")
    let other = try Oracle.run(
      "exiftool", ["-overwrite_original", "-q", "-XMP-photoshop:DateCreated=1980", photo.path])
    #expect(other.status == 0)
    let check = try tool("date", "check", photo.path)
    #expect(check.text.contains("photoshop:DateCreated (xmp) is 1980"), "\(check.text)")
  }

  @Test("A plan contains partial dates, and movies and invalid dates are refused.")
  func planAndUsage() throws {
    let photo = try sample("cirrus-02-meadow.heic")
    let file = scratch.url.appending(path: "plan.jsonl")
    #expect(try tool("date", "set", "1975-06", "--plan", file.path, photo.path).status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8).contains("\"dates\":{\"set\":\"1975-06\"}"))
    #expect(try tool("apply", file.path).status == 0)
    let applied = try sha256(photo)
    #expect(try tool("undo").status == 0)
    #expect(try tool("date", "set", "1975-06", photo.path).status == 0)
    #expect(try sha256(photo) == applied)
    let movie = try sample("borealis-07-swans.mp4")
    let hash = try sha256(movie)
    #expect(try tool("date", "set", "1975", movie.path).text.contains("is a movie"))
    #expect(try sha256(movie) == hash)
    for text in ["75", "1975-06-31", "1975-13", "1975-00", "0000", "19750", "1975-6", "1975?"] {
      #expect(try tool("date", "set", text, photo.path).status == 64, "\(text)")
    }
  }
}
