import Foundation
import TestSupport
import Testing

@Suite("metatag set", .enabled(if: Oracle.has("exiftool") && Oracle.has("exiv2"), "exiftool or exiv2 is missing"))
struct SetTests {
  private static let options = [
    "--artist", "Zoë Ångström; Ada Lovelace", "--copyright", "© 2024 Zoë", "--description", "Ein Steg", "--make", "KMZ",
    "--model", "Zenit", "--lens-make", "KMZ", "--lens-model", "Helios 44-2", "--aperture", "2.8", "--shutter", "1/1000",
    "--iso", "102400", "--focal-length", "58", "--focal-length-35mm", "87", "--exposure-bias", "-0.7", "--program",
    "manual", "--metering", "spot", "--white-balance", "manual", "--flash", "off", "--set",
    "Exif.Photo.BodySerialNumber=77",
  ]

  @Test("The CSV report has the changed fields after the older columns.")
  func table() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")).path
    let answer = try tool("set", "--title", "Steg", "--keywords", "sea", "--iso", "3200", "--csv", photo)
    let lines = answer.text.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (titles, row) = (try #require(lines.first), try #require(lines.last))
    #expect(Array(titles.prefix(6)) == ["path", "outcome", "reason", "offset", "newName", "before.taken"])
    #expect(titles[15..<21] == ["written", "losses", "explanation", "notes", "companions", "before.modified"])
    let cells = Dictionary(uniqueKeysWithValues: zip(titles, row))
    #expect(cells["after.title"] == "Steg" && cells["after.keywords"] == "sea", "\(answer.text)")
    #expect(cells["after.iso"] == "3200" && cells["before.title"] == "" && cells["after.make"] == "", "\(answer.text)")
    let tags = try tool("set", "--set", "Exif.Photo.BodySerialNumber=77", "--csv", photo).text
    #expect(tags.contains("Exif.Photo.BodySerialNumber=77"), "\(tags)")
  }

  @Test(
    "exiftool and exiv2 read the written fields, nothing else changes, and undo restores every byte.",
    arguments: ["aurora-01-jetty.jpg", "borealis-06-ferns.tif", "cirrus-02-meadow.heic"])
  func readBack(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let hash = try sha256(photo)
    let before = try #require(try exiftool([], scratch.url)[photo.path])
    let set = try tool.run(list: ["set"] + Self.options + [photo.path])
    #expect(set.status == 0, "\(set.text) \(set.errors)")
    let after = try #require(try exiftool([], scratch.url)[photo.path])
    let wanted = [
      "IFD0:Artist": "Zoë Ångström; Ada Lovelace", "IFD0:Copyright": "© 2024 Zoë", "IFD0:Make": "KMZ",
      "ExifIFD:LensModel": "Helios 44-2", "ExifIFD:FNumber": "2.8", "ExifIFD:ExposureTime": "1/1000",
      "ExifIFD:ISO": "65535", "ExifIFD:RecommendedExposureIndex": "102400", "ExifIFD:ExposureCompensation": "-0.7",
      "ExifIFD:ExposureProgram": "Manual", "ExifIFD:MeteringMode": "Spot", "ExifIFD:SerialNumber": "77",
      "ExifIFD:FocalLengthIn35mmFormat": "87 mm", "ExifIFD:WhiteBalance": "Manual",
      "ExifIFD:Flash": "Off, Did not fire",
    ]
    for (key, value) in wanted { #expect("\(after[key] ?? "none")" == value, "\(key)") }
    let ours = [
      "File:", "System:", "Composite:", "IFD0:Artist", "IFD0:Copyright", "IFD0:ImageDescription", "IFD0:Make",
      "IFD0:Model", "ExifIFD:Lens", "ExifIFD:FNumber", "ExifIFD:Exposure", "ExifIFD:ISO", "ExifIFD:Recommended",
      "ExifIFD:SensitivityType", "ExifIFD:FocalLength", "ExifIFD:MeteringMode", "ExifIFD:WhiteBalance",
      "ExifIFD:Flash", "ExifIFD:SerialNumber", "ExifIFD:ApertureValue", "ExifIFD:ShutterSpeedValue",
      "ExifIFD:StandardOutput", "XMP-dc:", "XMP-tiff:", "XMP-exif", "XMP-aux:", "IPTC:", "IFD1:ThumbnailOffset",
      "MediaDataOffset", "MediaDataSize", "ExifIFD:ExifVersion",
    ]
    for key in Set(before.keys).union(after.keys) where !ours.contains(where: key.contains) {
      #expect("\(before[key] ?? "none")" == "\(after[key] ?? "none")", "\(key)")
    }
    if !name.hasSuffix("heic") {
      let exiv2 = try Oracle.run("exiv2", ["-q", "-K", "Exif.Photo.LensModel", "-Pv", photo.path])
      #expect(exiv2.text.contains("Helios 44-2"), "\(exiv2.text)")
    }
    let changed = try sha256(photo)
    let again = try tool.run(list: ["set"] + Self.options + [photo.path])
    #expect(again.status == 0 && again.text.contains("nothing to do"), "\(again.text)")
    #expect(try sha256(photo) == changed)
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "exiftool reads written comments, areas and single-byte codes, and copies in XMP follow.",
    arguments: ["aurora-01-jetty.jpg", "borealis-06-ferns.tif", "cirrus-02-meadow.heic"])
  func typed(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let copies = ["-q", "-overwrite_original", "-XMP-exif:UserComment=Old", "-XMP-exif:UserComment-de=Alt"]
    let areas = ["-XMP-exif:SubjectArea=1", "-XMP-exif:SubjectArea=2", photo.path]
    try #require(try Oracle.run("exiftool", copies + areas).status == 0)
    for comment in ["A jetty", "Zoë am Steg 桟橋"] {
      let tags = [("UserComment", comment), ("SubjectArea", "10 20 30"), ("SceneType", "1"), ("FileSource", "3")]
      let options = tags.flatMap { ["--set", "Exif.Photo.\($0.0)=\($0.1)"] }
      let set = try tool.run(list: ["set"] + options + [photo.path])
      #expect(set.status == 0, "\(set.text) \(set.errors)")
      let found = try #require(try exiftool(["-n"], scratch.url)[photo.path])
      for key in ["ExifIFD:UserComment", "XMP-exif:UserComment"] { #expect(found[key] as? String == comment, "\(key)") }
      #expect(found["XMP-exif:UserComment-de"] as? String == "Alt")
      #expect(found["ExifIFD:SubjectArea"] as? String == "10 20 30")
      #expect((found["XMP-exif:SubjectArea"] as? [Int]) == [10, 20, 30], "\(found["XMP-exif:SubjectArea"] ?? "none")")
      #expect("\(found["ExifIFD:SceneType"] ?? "")" == "1" && "\(found["ExifIFD:FileSource"] ?? "")" == "3")
      #expect(try tool.run(list: ["set"] + options + [photo.path]).text.contains("nothing to do"))
    }
    let removed = try tool("set", "--remove", "Exif.Photo.UserComment", photo.path)
    #expect(removed.status == 0, "\(removed.text)")
    #expect(try exiftool([], scratch.url)[photo.path]?.keys.contains { $0.contains("UserComment") } == false)
  }

  @Test("An unnamed field stays, an empty one is removed, and an equal value changes nothing.")
  func triState() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    #expect(try tool("set", "--make", "Sony", "--artist", "Ada", photo.path).status == 0)
    let date = try photo.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    let bytes = try Data(contentsOf: photo)
    let same = try tool("set", "--make", "Sony", "--artist", "Ada", photo.path)
    #expect(same.text.contains("unchanged"), "\(same.text)")
    #expect(try Data(contentsOf: photo) == bytes)
    #expect(try photo.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate == date)
    let report = try tool("set", "--artist", "", "--iso", "400", "--jsonl", photo.path).text
    #expect(report.contains("\"artist\":\"Ada\"") && report.contains("\"iso\":\"400\""), "\(report)")
    let tags = try #require(try exiftool([], scratch.url)[photo.path])
    #expect(tags["IFD0:Artist"] == nil && tags["IFD0:Make"] as? String == "Sony")
  }

  @Test(
    "An invalid value is a usage error.",
    arguments: [
      [], ["--iso", "0"], ["--shutter", "1/0"], ["--iso", "٤٠٠"], ["--set", "Exif.Photo.LensModell=x"],
      ["--set", "Exif.Photo.LensModel"], ["--lens-model", "a", "--set", "Exif.Photo.LensModel=b"],
      ["--exposure-bias", "-"], ["--set", "Exif.Photo.SceneType=256"], ["--set", "Exif.Photo.SubjectArea=1"],
      ["--set", "Exif.Photo.SubjectArea=1 2 3 4 5"], ["--set", "Exif.Photo.ColorSpace=1"],
    ])
  func usage(options: [String]) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let hash = try sha256(photo)
    #expect(try tool.run(list: ["set"] + options + [photo.path]).status == 64)
    #expect(try sha256(photo) == hash)
  }

  @Test("A movie is not changed, and a Live Photo's still is.")
  func movies() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let still = try scratch.copy(Corpus.project.appending(path: "SampleImages/cirrus-01-boat.heic"))
    let movie = try scratch.copy(Corpus.project.appending(path: "SampleImages/cirrus-01-boat.mov"))
    let hash = try sha256(movie)
    let alone = try tool("set", "--artist", "Ada", "--separately", movie.path)
    #expect(alone.status == 1 && alone.text.contains("is a movie"), "\(alone.text)")
    let both = try tool("set", "--artist", "Ada", still.path, movie.path)
    #expect(both.status == 0, "\(both.text)")
    #expect(try sha256(movie) == hash)
    #expect(try exiftool([], scratch.url)[still.path]?["IFD0:Artist"] as? String == "Ada")
  }

  @Test("An empty or missing value doesn't take the next option or photo as its value.")
  func emptyValue() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let hash = try sha256(photo)
    let dry = try tool.run(list: ["set", "--copyright=", "--dry-run", photo.path])
    #expect(dry.status == 0 && !dry.text.contains("--dry-run"), "\(dry.text) \(dry.errors)")
    for field in ["--title", "--add-keyword", "--exposure-bias"] {
      let missing = try tool.run(list: ["set", field, "--dry-run", photo.path])
      #expect(missing.status == 64)
      #expect(missing.errors.contains("Missing value for '\(field)"), "\(missing.errors)")
      #expect(missing.errors.contains("write a value that begins with a dash as \(field)=-"), "\(missing.errors)")
    }
    #expect(try sha256(photo) == hash)
    let title = try tool.run(list: ["set", "--title=--dry-run", photo.path])
    #expect(title.text.contains("title --dry-run"), "\(title.text) \(title.errors)")
    #expect(try tool.run(list: ["set", "--title=", photo.path]).text.contains("no title"))
  }
}
