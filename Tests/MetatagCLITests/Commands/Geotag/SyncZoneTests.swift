import Foundation
import TestSupport
import Testing

/// A camera with some photos that record their time zone and some that don't.
struct SyncZoneTests {
  private func photo(_ scratch: Scratch, _ name: String, shown: String, offset: String) throws -> URL {
    let sample = Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg")
    let file = try scratch.write(try Data(contentsOf: sample), as: name)
    let answer = try Oracle.run(
      "exiftool",
      [
        "-q", "-m", "-overwrite_original", "-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)", "-OffsetTime=",
        "-OffsetTimeOriginal=\(offset)", "-OffsetTimeDigitized=\(offset)", "-GPS:all=", file.path,
      ])
    try #require(answer.status == 0, "\(answer.errors)")
    return file
  }

  private func tags(_ file: URL) throws -> String {
    try Oracle.run("exiftool", ["-s3", "-DateTimeOriginal", "-OffsetTimeOriginal", "-GPSTimeStamp", file.path]).text
  }

  @Test("A sync without a zone includes the zone, so a photo that records the right zone is right.")
  func together() throws {
    let tool = try Tool()
    let scratch = try Scratch()
    // The clock is right and set to -04:00.
    let bare = try photo(scratch, "IMG_0001.JPG", shown: "2024:05:18 04:14:20", offset: "")
    let zoned = try photo(scratch, "IMG_0003.JPG", shown: "2024:05:18 04:26:48", offset: "-04:00")
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let sync = "\(bare.path)=2024-05-18T08:14:20Z"
    let run = try tool("geotag", "--track", track, "--sync", sync, "--fix-dates", bare.path, zoned.path)
    let lines = try tags(zoned).split(separator: "\n").map(String.init)
    #expect(lines == ["2024:05:18 04:26:48", "-04:00", "08:26:48"], "\(run.text)\(run.errors)")
    let first = try tags(bare).split(separator: "\n").map(String.init)
    #expect(first == ["2024:05:18 10:14:20", "+02:00", "08:14:20"], "\(run.text)\(run.errors)")
  }

  @Test("After a sync without a zone each photo gets the local time of its location.", arguments: [false, true])
  func twoZones(isPlaced: Bool) throws {
    let tool = try Tool()
    let scratch = try Scratch()
    // From Portugal to Spain; the clock is set to -04:00 and is 5 minutes slow.
    let points =
      [("38.881", "-7.163", "08:00"), ("38.881", "-7.162", "08:20"), ("38.878", "-6.97", "08:45")]
      + [("38.878", "-6.971", "09:10")]
    let fixes = points.map { "<trkpt lat='\($0)' lon='\($1)'><time>2024-05-18T\($2):00Z</time></trkpt>" }
    let track = try scratch.write(
      "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1'><trk><trkseg>\(fixes.joined())</trkseg></trk></gpx>"
        .utf8, as: "day.gpx")
    let first = try photo(scratch, "IMG_0001.JPG", shown: "2024:05:18 04:05:00", offset: "")
    let second = try photo(scratch, "IMG_0002.JPG", shown: "2024:05:18 04:50:00", offset: "")
    let words = [
      "geotag", "--track", track.path, "--sync", "\(first.path)=2024-05-18T08:10:00Z", first.path, second.path,
    ]
    if isPlaced {
      // The dates are corrected in a second run, as the summary says.
      let answer = try tool.run(list: words)
      #expect(answer.text.contains("metatag geotag --fix-dates"), "\(answer.text)")
    }
    for _ in 1...2 {
      _ = try tool.run(list: words + ["--fix-dates"])
      let dates = try [first, second].map { try tags($0).split(separator: "\n").map { String($0) } }
      #expect(dates[0] == ["2024:05:18 09:10:00", "+01:00", "08:10:00"])
      #expect(dates[1] == ["2024:05:18 10:55:00", "+02:00", "08:55:00"])
    }
  }

  @Test(
    "A photo isn't read in its location's zone if another of its camera records another zone.",
    arguments: [[], ["--offset", "auto"]])
  func stray(options: [String]) throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let zoned = try photo(scratch, "IMG_0001.JPG", shown: "2024:05:18 13:14:20", offset: "+05:00")
    let bare = try photo(scratch, "IMG_0003.JPG", shown: "2024:05:18 10:26:48", offset: "")
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    _ = try tool.run(list: ["geotag", "--track", track] + options + [zoned.path, bare.path])
    #expect(try tags(bare).trimmingCharacters(in: .whitespacesAndNewlines) == "2024:05:18 10:26:48")
  }
}
