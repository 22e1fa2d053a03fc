import Foundation
import TestSupport
import Testing

@Suite("All copies of dates and locations", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct DateCopiesTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func photo(_ tags: [String], name: String = "a.jpg", of sample: String = "aurora-01-jetty.jpg") throws -> URL
  {
    let source = Corpus.project.appending(path: "SampleImages").appending(path: sample)
    let file = try scratch.write(try Data(contentsOf: source), as: name)
    let answer = try Oracle.run("exiftool", ["-q", "-n", "-overwrite_original"] + tags + [file.path])
    try #require(answer.status == 0, "\(answer.errors)")
    return file
  }

  private static let taken = [
    "-AllDates=2024:05:23 18:38:41", "-OffsetTimeOriginal=+09:00", "-OffsetTimeDigitized=+09:00",
    "-SubSecTimeOriginal=", "-SubSecTimeDigitized=", "-GPS:all=", "-XMP:all=", "-IPTC:all=",
  ]

  /// Dates in namespaces of single programs.
  private static let programs = [
    "XMP-acdsee:DateTime", "XMP-xmpDM:ShotDate", "XMP-pdf:CreationDate", "XMP-getty:OriginalCreateDateTime",
    "XMP-dwc:EventDate", "XMP-GPano:FirstPhotoDate", "XMP-GPano:LastPhotoDate", "XMP-microsoft:DateAcquired",
    "XMP-prism:CreationDate", "XMP-ics:TimeStamp", "XMP-iptcExt:ArtworkDateCreated", "XMP-dc:Date",
  ]

  @Test("clear --date erases every date in XMP and keeps other text.")
  func clear() throws {
    let file = try photo(
      Self.taken + Self.programs.map { "-\($0)=2017:03:04 05:06:07" }
        + ["-XMP-dc:Title=2016-02-03", "-XMP-crs:Version=15.4", "-XMP-Device:PoseTimestamp=2017:03:04 05:06:07"])
    let old = try Data(contentsOf: file)
    let answer = try tool("clear", "--date", file.path)
    #expect(answer.status == 0, "\(answer.text)")
    let new = try Data(contentsOf: file)
    for text in ["2017-03-04", "2017:03:04", "2024:05:23"] {
      #expect(old.range(of: Data(text.utf8)) != nil || text == "2017:03:04")
      #expect(new.range(of: Data(text.utf8)) == nil, "\(text)")
    }
    let left = try exiftool([], scratch.url)[file.path] ?? [:]
    // In Google's pictures with depth, it is a count of milliseconds.
    #expect(!left.keys.contains { $0.contains("PoseTimestamp") })
    #expect(left["XMP-dc:Title"] as? String == "2016-02-03" && left["XMP-crs:Version"] != nil)
    try tool("undo")
    #expect(try Data(contentsOf: file) == old)
  }

  @Test("Equal copies move with the date, and differing ones are reported and move by the same time.")
  func shift() throws {
    let moving = Self.programs.filter { !$0.contains("EventDate") && !$0.contains("Artwork") }
    let file = try photo(Self.taken + moving.map { "-\($0)=2024:05:23 18:38:41" })
    #expect(try tool("date", "check", file.path).status == 0)
    let old = try Data(contentsOf: file)
    #expect(try tool("date", "shift", "+1d1h", file.path).status == 0)
    var after = try exiftool([], scratch.url)[file.path] ?? [:]
    for name in moving { #expect(after[name] as? String == "2024:05:24 19:38:41", "\(name)") }
    #expect(try tool("date", "check", file.path).status == 0)
    #expect(try tool("date", "set", "2023-01-02T03:04:05", file.path).status == 0)
    after = try exiftool([], scratch.url)[file.path] ?? [:]
    for name in moving {
      #expect((after[name] as? String)?.hasPrefix("2023:01:02 03:04:05") == true, "\(name)")
    }
    #expect(try tool("date", "check", file.path).status == 0)
    for _ in 0..<2 { try tool("undo") }
    #expect(try Data(contentsOf: file) == old)
  }

  @Test("A copy in UTC stays in UTC, and a differing one moves by the same time.")
  func differing() throws {
    let file = try photo(
      Self.taken + ["-XMP-GPano:FirstPhotoDate=2024:05:23 09:38:41Z", "-XMP-acdsee:DateTime=2024:05:23 17:38:41"])
    let found = try tool("date", "check", file.path)
    #expect(found.status == 1 && found.text.contains("capture-time: acdsee:datetime (xmp) is 2024-05-23T17:38:41"))
    #expect(!found.text.contains("GPano"))
    #expect(try tool("date", "shift", "-2h", file.path).status == 0)
    let after = try exiftool([], scratch.url)[file.path] ?? [:]
    #expect(after["XMP-GPano:FirstPhotoDate"] as? String == "2024:05:23 07:38:41Z")
    #expect(after["XMP-acdsee:DateTime"] as? String == "2024:05:23 15:38:41")
  }

  @Test("A movie's plain date in user data is checked, moved and erased.")
  func movie() throws {
    let file = try photo(
      ["-UserData:DateTimeOriginal=2017:03:04 05:06:07+09:00"], name: "a.mov", of: "cirrus-03-falls.mov")
    #expect(try tool("date", "check", file.path).text.contains("date (quicktime) is 2017-03-04T05:06:07+09:00"))
    let old = try Data(contentsOf: file)
    #expect(try tool("date", "shift", "+1h", file.path).status == 0)
    let moved = try exiftool([], scratch.url)[file.path] ?? [:]
    #expect((moved["UserData:DateTimeOriginal"] as? String)?.hasPrefix("2017:03:04 06:06:07") == true)
    let answer = try tool("clear", "--date", file.path)
    #expect(answer.status == 0, "\(answer.text)")
    #expect(try Data(contentsOf: file).range(of: Data("2017-03-04".utf8)) == nil)
    for _ in 0..<2 { try tool("undo") }
    #expect(try Data(contentsOf: file) == old)
  }

  @Test("repair keeps a scan's year, and shows every copy that it would change.")
  func repair() throws {
    let scan = try photo(
      Self.taken + ["-XMP-photoshop:DateCreated=1975", "-IPTC:DateCreated=1975:00:00"])
    let old = try Data(contentsOf: scan)
    let answer = try tool("date", "repair", "--apply", scan.path)
    #expect(answer.status == 1 && answer.text.contains("can't tell which is right"), "\(answer.text)")
    #expect(try Data(contentsOf: scan) == old)
    let stale = try photo(
      Self.taken + ["-XMP-photoshop:DateCreated=2024:05:23 17:38:41+09:00"], name: "IMG_20240523_183841.jpg")
    let shown = try tool("date", "repair", stale.path)
    let copy = "photoshop:DateCreated (xmp) 2024-05-23T"
    #expect(shown.text.contains("\(copy)17:38:41+09:00 → \(copy)18:38:41+09:00"), "\(shown.text)")
    #expect(try tool("date", "repair", "--json", stale.path).text.contains(#""photoshop:DateCreated (xmp)""#))
  }

  @Test("repair writes the trusted date's offset or none, and has nothing left to do then.")
  func replacedOffset() throws {
    let right = "2020:07:01 10:00:00"
    let tags = [
      "-AllDates=\(right)", "-OffsetTimeOriginal=", "-OffsetTimeDigitized=", "-SubSecTimeOriginal=",
      "-SubSecTimeDigitized=", "-GPS:all=", "-XMP:all=", "-XMP-exif:DateTimeOriginal=\(right)",
      "-XMP-photoshop:DateCreated=2022:03:05 18:30:00-05:00", "-IPTC:DateCreated=2022:03:05",
      "-IPTC:TimeCreated=18:30:00-05:00", "-XMP-acdsee:DateTime=2022:03:05 18:30:00-05:00",
    ]
    let file = try photo(tags, name: "IMG_20200701_100000.jpg")
    for outcome in ["1 changed", "1 unchanged"] {
      #expect(try tool("date", "repair", "--apply", file.path).text.contains(outcome))
      let dates = try exiftool([], scratch.url)[file.path] ?? [:]
      for tag in ["XMP-photoshop:DateCreated", "XMP-exif:DateTimeOriginal", "XMP-acdsee:DateTime"] {
        #expect(dates[tag] as? String == right, "\(tag)")
      }
      #expect(dates["IPTC:TimeCreated"] as? String == "10:00:00")
      #expect(dates["ExifIFD:OffsetTimeOriginal"] == nil)
    }
  }

  @Test(
    "--zone-around finds every location of a photo, or skips the photo with a reason.",
    arguments: [
      (["-XMP-iptcExt:LocationShownGPSLatitude=48.2", "-XMP-iptcExt:LocationShownGPSLongitude=16.37"], 0),
      (["-XMP-iptcExt:LocationCreatedGPSLatitude=48.2", "-XMP-iptcExt:LocationCreatedGPSLongitude=16.37"], 0),
      (
        [
          "-GPSDestLatitude=48.2", "-GPSDestLatitudeRef=N", "-GPSDestLongitude=16.37", "-GPSDestLongitudeRef=E",
          "-GPSLatitude=10", "-GPSLatitudeRef=N", "-GPSLongitude=10", "-GPSLongitudeRef=E",
        ], 0
      ),
      (["-XMP-exif:GPSDestLatitude=48.2", "-XMP-exif:GPSDestLongitude=16.37"], 0),
      (["-EXIF:GPSLatitude=48.2", "-EXIF:GPSLongitude=16.37"], 1),
    ])
  func zones(tags: [String], status: Int) throws {
    let file = try photo(Self.taken + tags)
    let old = try Data(contentsOf: file)
    let answer = try tool("clear", "--location", "--zone-around", "48.2,16.37:500m", file.path)
    #expect(answer.status == Int32(status), "\(answer.text)")
    let isLeft = try Data(contentsOf: file) == old
    #expect(isLeft == (status != 0))
    if isLeft { #expect(answer.text.contains("has a position that can't be read"), "\(answer.text)") }
    let far = try tool("clear", "--location", "--zone-around", "1,1:500m", file.path)
    #expect(far.text.contains("skipped") == (status != 0), "\(far.text)")
    let left = try exiftool([], scratch.url)[file.path] ?? [:]
    #expect(left.keys.contains { $0.contains("GPSLatitude") || $0.contains("GPSDest") } == isLeft)
  }

  @Test(
    "check finds conflicts of copies with only a day or an offset.",
    arguments: [
      (["-IPTC:DigitalCreationDate=2020:01:02"], "digitized-time: DigitalCreationDate (iptc) is 2020-01-02"),
      (
        ["-IPTC:DateCreated=2024:05:23", "-IPTC:TimeCreated=18:38:41+02:00"],
        "offset: DateCreated (iptc) is 2024-05-23T18:38:41+02:00"
      ),
      (["-OffsetTimeDigitized=+01:00"], "offset: DateTimeDigitized (exif) is 2024-05-23T18:38:41+01:00"),
      (
        ["-EXIF:GPSDateStamp=2024:05:20", "-EXIF:GPSTimeStamp=09:38:41"],
        "gps-time: GPSTimeStamp (exif) is 2024-05-20T09:38:41"
      ),
    ])
  func check(tags: [String], finding: String) throws {
    let file = try photo(Self.taken + tags)
    let answer = try tool("date", "check", file.path)
    #expect(answer.status == 1 && answer.text.contains(finding), "\(answer.text)")
  }

  @Test("check finds a PNG's Creation Time and a track header that are years away.")
  func checkTexts() throws {
    let png = try photo(
      ["-EXIF:DateTimeOriginal=2024:05:23 18:38:41", "-PNG:CreationTime=2020:01:01 10:00:00"], name: "a.png",
      of: "cirrus-04-signpost.png")
    #expect(try tool("date", "check", png.path).text.contains("Creation Time (file) is 2020-01-01T10:00:00"))
    let movie = try photo(["-MediaCreateDate=2020:01:01 10:00:00"], name: "a.mov", of: "cirrus-03-falls.mov")
    let tracks = try tool("date", "check", movie.path).text
    #expect(tracks.contains("movie-header: mdhd (quicktime) is 2020-01-01T10:00:00"), "\(tracks)")
  }

  @Test("repair corrects a track header by the movie's, and undo restores it.")
  func repairTracks() throws {
    let movie = try photo(["-MediaCreateDate=2020:01:01 10:00:00"], name: "a.mov", of: "cirrus-03-falls.mov")
    func header() throws -> String? {
      try exiftool(["-QuickTime:CreateDate"], scratch.url)[movie.path]?["QuickTime:CreateDate"] as? String
    }
    let (old, before) = (try Data(contentsOf: movie), try #require(try header()))
    #expect(try tool("date", "check", movie.path).status == 1)
    #expect(try tool("date", "repair", movie.path).text.contains("the headers of its tracks"))
    #expect(try tool("date", "repair", "--apply", movie.path).text.contains("1 changed"))
    #expect(try tool("date", "check", movie.path).status == 0)
    #expect(try Data(contentsOf: movie) != old)
    #expect(try header() == before)
    try tool("undo")
    #expect(try Data(contentsOf: movie) == old)
  }

  @Test("XPAuthor follows the artist, and XPSubject the description if it was a copy.")
  func windows() throws {
    let file = try photo([
      "-Artist=Old", "-XPAuthor=Old", "-ImageDescription=Jetty", "-XPSubject=Jetty", "-XPComment=stays",
    ])
    #expect(try tool("set", "--artist", "Ada; Bob", "--description", "The jetty", file.path).status == 0)
    var after = try exiftool([], scratch.url)[file.path] ?? [:]
    #expect(after["IFD0:XPAuthor"] as? String == "Ada; Bob" && after["IFD0:XPSubject"] as? String == "The jetty")
    #expect(try tool("set", "--artist", "", "--description", "", file.path).status == 0)
    after = try exiftool([], scratch.url)[file.path] ?? [:]
    #expect(after["IFD0:XPAuthor"] == nil && after["IFD0:XPSubject"] == nil && after["IFD0:XPComment"] != nil)
    let other = try photo(["-ImageDescription=Jetty", "-XPSubject=Holidays"], name: "b.jpg")
    let answer = try tool("set", "--description", "Pier", "--json", other.path)
    #expect(answer.status == 0 && answer.text.contains("XPSubject"), "\(answer.text)")
    #expect(try exiftool([], scratch.url)[other.path]?["IFD0:XPSubject"] as? String == "Holidays")
    let nobody = try tool("set", "--artist", " ; ", other.path)
    #expect(nobody.status == 64 || nobody.status == 2, "\(nobody.status)")
    #expect(nobody.errors.contains("contains no name"))
    #expect(try tool("set", "--remove", "Exif.Image.XPAuthor", other.path).errors.contains("--artist"))
  }

  @Test("A time that the file system can't store is reported.", arguments: ["1885", "2500"])
  func fileTime(year: String) throws {
    let file = try photo(["-AllDates=\(year):05:23 18:38:41", "-OffsetTime*=+00:00", "-GPS:all="])
    let before = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    let answer = try tool("date", "sync-mtime", "--camera-zone", "Z", file.path)
    let after = try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
    let wanted = try #require(try? Date("\(year)-05-23T18:38:41Z", strategy: .iso8601))
    if answer.text.contains("1 changed") {
      #expect(abs(after.timeIntervalSince(wanted)) <= 2)
    } else {
      #expect(answer.status == 1 && answer.text.contains("its file system can't store the time"), "\(answer.text)")
      #expect(after == before)
    }
  }

  @Test("A zipped export is refused with the advice to unpack it.")
  func packedTakeout() throws {
    let file = try scratch.write(Data("PK".utf8), as: "takeout-001.zip")
    let answer = try tool("takeout", file.path)
    #expect(answer.status == 2 && answer.errors.contains("takeout-001.zip is a file: unpack it first"))
  }

  @Test("An IPTC day at midnight UTC is treated as a day by every command.")
  func midnight() throws {
    let file = try photo(
      Self.taken + [
        "-DateTimeOriginal=2024:05:01 23:30:00", "-CreateDate=2024:05:01 23:30:00", "-IPTC:DateCreated=2024:05:01",
        "-IPTC:TimeCreated=00:00:00+00:00",
      ])
    #expect(try tool("date", "check", file.path).status == 0)
    #expect(!(try tool("show", file.path).text.contains("has another time")))
    for shift in ["+1h", "+30m", "-2h"] {
      let answer = try tool("date", "shift", shift, file.path)
      #expect(answer.status == 0, "\(answer.text)")
      #expect(try tool("date", "check", file.path).status == 0, "\(shift)")
    }
  }

  @Test("A date in XMP without seconds has none after shifts there and back.")
  func seconds() throws {
    let file = try photo(Self.taken + ["-XMP-photoshop:DateCreated=2024:05:23 18:38"])
    for shift in ["+1h", "-1h"] { #expect(try tool("date", "shift", shift, file.path).status == 0) }
    let tags = try #require(try exiftool(["-XMP:all"], scratch.url)[file.path])
    #expect(tags["XMP-photoshop:DateCreated"] as? String == "2024:05:23 18:38")
  }

  @Test("A second retry doesn't repeat finished files, and the log counts failures.")
  func retry() throws {
    let good = try photo(Self.taken)
    let broken = try scratch.write(Data("no photo".utf8), as: "0.jpg")
    #expect(try tool("date", "shift", "+1h", "--fail-fast", broken.path, good.path).status == 1)
    #expect(try tool("log", "--json").text.contains(#""failed": 1"#))
    for _ in 0..<2 { try tool("date", "shift", "+1h", "--retry-failed", "1") }
    let date = { try exiftool([], scratch.url)[good.path]?["ExifIFD:DateTimeOriginal"] as? String }
    #expect(try date() == "2024:05:23 19:38:41")
    // After its undo it is retried again.
    #expect(try tool("undo", "2").status == 0)
    try tool("date", "shift", "+2h", "--retry-failed", "1")
    #expect(try date() == "2024:05:23 20:38:41")
  }
}
