import Foundation
import TestSupport
import Testing

@Suite("metatag clear", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct PrivacyTests {
  private static let secrets = [
    "SecretArtist", "SecretOwner", "SecretSerial", "SecretCity", "SecretComment", "SecretTrailer", "SecretXMP",
    "SecretNote", "SecretHistory",
  ]
  private static let tags = [
    "-Artist=SecretArtist", "-OwnerName=SecretOwner", "-SerialNumber=SecretSerial", "-IPTC:City=SecretCity",
    "-Comment=SecretComment", "-XMP-dc:Title=SecretXMP", "-UserComment=SecretNote", "-Orientation#=6",
    "-XMP-xmpMM:HistoryAction=SecretHistory", "-GPSLatitude=48.123456", "-GPSLatitudeRef=N",
    "-GPSLongitude=16.654321", "-GPSLongitudeRef=E", "-GPSAltitude=171.25", "-GPSTimeStamp=10:02:30",
    "-GPSDateStamp=2024:05:18", "-XMP-exif:GPSLatitude=48.123456", "-XMP-exif:GPSLongitude=16.654321",
    "-XMP-iptcCore:Location=SecretCity",
  ]

  private func sample(_ name: String, in scratch: Scratch, _ tags: [String] = tags) throws -> URL {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    #expect(try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [photo.path]).status == 0)
    return photo
  }

  /// The coded picture, from the last quantisation table, coding tables and scans to EOI.
  private func picture(_ jpeg: Data) throws -> Data {
    let start = try #require(jpeg.range(of: Data([0xFF, 0xDA]), options: .backwards)).lowerBound
    let end = try #require(jpeg.range(of: Data([0xFF, 0xD9]), in: start..<jpeg.endIndex)).upperBound
    return jpeg[start..<end]
  }

  private func has(_ bytes: Data, _ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

  @Test(
    "--all keeps the picture and its display, and erases every other text.",
    arguments: [false, true])
  func all(keepsDate: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch)
    let preview = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg"))
    #expect(
      try Oracle.run("exiftool", ["-q", "-overwrite_original", "-ThumbnailImage<=\(preview.path)", photo.path]).status
        == 0)
    var bytes = try Data(contentsOf: photo)
    bytes.append(Data("SecretTrailer".utf8) + (try Data(contentsOf: preview)))
    try bytes.write(to: photo)
    let old = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    let hash = try sha256(photo)
    for secret in Self.secrets { #expect(has(bytes, secret), "\(secret)") }
    let clear = try tool.run(
      list: ["clear", "--all"] + (keepsDate ? ["--keep", "date,orientation,icc"] : []) + [photo.path])
    #expect(clear.status == 0, "\(clear.text)")
    let after = try Data(contentsOf: photo)
    for secret in Self.secrets + ["A1-000042", "Aurora"] { #expect(!has(after, secret), "\(secret)") }
    #expect(has(after, "2024:05:18") == keepsDate)
    #expect(
      try picture(after)
        == picture(try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))))
    let new = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    #expect(new["IFD0:Orientation"] as? Int == 6)
    #expect(new["File:ImageWidth"] as? Int == old["File:ImageWidth"] as? Int)
    #expect("\(new["ExifIFD:ColorSpace"] ?? "none")" == "\(old["ExifIFD:ColorSpace"] ?? "none")")
    #expect((new["ExifIFD:DateTimeOriginal"] != nil) == keepsDate)
    let left = new.keys.filter { key in
      !["File:", "System:", "Composite:", "JFIF:", "ICC", "ExifTool:", "SourceFile", "IFD0:", "ExifIFD:"]
        .contains { key.hasPrefix($0) }
    }
    #expect(left.isEmpty, "\(left)")
    let again = try tool.run(list: ["clear", "--all"] + (keepsDate ? ["--keep", "date"] : []) + [photo.path])
    #expect(again.text.contains("unchanged"), "\(again.text)")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test("--all erases a HEIC's metadata, and undo restores every byte.")
  func allOfHEIC() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/cirrus-02-meadow.heic"))
    let set = try tool("set", "--artist", "SecretArtist", photo.path)
    #expect(set.status == 0)
    let hash = try sha256(photo)
    let old = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    let clear = try tool("clear", "--all", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let after = try Data(contentsOf: photo)
    for word in ["SecretArtist", "Cirrus", "2024:05:18"] { #expect(!has(after, word), "\(word)") }
    let new = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    #expect(new["File:ImageWidth"] as? Int == old["File:ImageWidth"] as? Int)
    #expect(!new.keys.contains { $0.hasPrefix("GPS:") || $0.hasPrefix("XMP") || $0 == "IFD0:Make" })
    #expect(try tool("clear", "--all", photo.path).text.contains("unchanged"))
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "A raw file whose maker note converters need refuses --all.", arguments: ["delta-01.nef", "delta-04.rw2"])
  func refused(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/raw/\(name)"))
    let hash = try sha256(photo)
    for options in [[], ["--raw", "in-place"]] {
      let clear = try tool.run(list: ["clear", "--all"] + options + [photo.path])
      #expect(
        clear.status == 1 && clear.text.contains("whose maker notes are needed by raw converters"), "\(clear.text)")
      #expect(!clear.text.contains("changes the file itself"), "\(clear.text)")
    }
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "Locations in makers' data are erased, and nothing else of it changes.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"),
    arguments: ["FLIR_Vue_Pro_640.jpg", "FLIR_iPhone_device.jpg", "withPanasonicFaces.jpg"])
  func makersPlaces(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/jpeg-makernote/\(name)"))
    let (hash, old) = (try sha256(photo), try Data(contentsOf: photo))
    let before = try #require(try exiftool(["-a"], scratch.url)[photo.path])
    let places = ["GPS", "Country", "State", "City", "Landmark", "FLIR:Speed", "Composite:"]
    func holdsLocation(_ key: String) -> Bool { places.contains(where: key.contains) }
    let clear = try tool("clear", "--location", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let after = try #require(try exiftool(["-a"], scratch.url)[photo.path])
    for (key, value) in after where key.contains("GPS") || key.hasPrefix("Panasonic:") && holdsLocation(key) {
      #expect(["", "0", "0.0", "No", "---"].contains("\(value)"), "\(key) = \(value)")
    }
    for (key, value) in before
    where !holdsLocation(key) && !key.hasPrefix("System:") && !key.hasPrefix("File:") && key != "IFD0:GPSInfo" {
      #expect("\(after[key] ?? "none")" == "\(value)", "\(key)")
    }
    #expect(try picture(try Data(contentsOf: photo)) == picture(old))
    #expect(try tool("clear", "--location", photo.path).text.contains("unchanged"))
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test("A location that can't be read is reported until it is erased.")
  func unreadPosition() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">\
      <exif:GPSLatitude rdf:parseType="Resource"><rdf:value>48,30.0N</rdf:value><xmp:Foo>q</xmp:Foo></exif:GPSLatitude>\
      <exif:GPSLongitude>2,15.0E</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let file = try scratch.write(packet.utf8, as: "a.xmp")
    #expect(try tool("show", file.path, "--json").text.contains("is a structure"))
    let clear = try tool("clear", "--location", file.path)
    #expect(clear.status == 0 && !clear.text.contains("is a structure"), "\(clear.text)")
    #expect(try !has(Data(contentsOf: file), "48,30"))
  }

  @Test("Only photos in a zone are cleared.")
  func zones() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let inside = try sample("aurora-01-jetty.jpg", in: scratch)
    let outside = try sample(
      "aurora-02-island.jpg", in: scratch,
      ["-GPSLatitude=48.2", "-GPSLatitudeRef=N", "-GPSLongitude=16.654321", "-GPSLongitudeRef=E"])
    let without = try sample("borealis-01-lake.jpg", in: scratch, ["-GPS:all="])
    #expect(try tool("place", "pin", "home", "48.1234,16.6544").status == 0)
    let hashes = try [outside, without].map(sha256)
    let clear = try tool(
      "clear", "--location", "--zone-around", "@home:500m", "--zone-around", "0,0:1km", scratch.url.path)
    #expect(clear.status == 0, "\(clear.text)")
    #expect(clear.text.contains("is outside all zones") && clear.text.contains("has no location"), "\(clear.text)")
    #expect(try exiftool([], scratch.url)[inside.path]?["GPS:GPSLatitude"] == nil)
    #expect(try [outside, without].map(sha256) == hashes)
    for wrong in ["@nowhere:1km", "@home", "@home:500", "48:1km"] {
      #expect(try tool("clear", "--location", "--zone-around", wrong, outside.path).status != 0)
    }
    #expect(try sha256(outside) == hashes[0])
  }

  @Test(
    "A coarse location leaves neither the exact one nor other GPS values.",
    arguments: ["aurora-01-jetty.jpg", "borealis-06-ferns.tif"])
  func coarse(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample(name, in: scratch)
    let hash = try sha256(photo)
    let clear = try tool("clear", "--location", "--coarsen", "10km", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let tags = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    let latitude = try #require(tags["GPS:GPSLatitude"] as? Double)
    let longitude = try #require(tags["GPS:GPSLongitude"] as? Double)
    #expect(abs(latitude - 48.123456) < 0.05 && abs(longitude - 16.654321) < 0.07)
    #expect(abs(latitude - 48.123456) > 1e-4 || abs(longitude - 16.654321) > 1e-4)
    #expect(tags["GPS:GPSHPositioningError"] as? Double == 7_100 || tags["GPS:GPSHPositioningError"] as? Int == 7_100)
    let left = tags.keys.filter { key in
      ["GPSAltitude", "GPSTimeStamp", "GPSDateStamp", "XMP-exif:GPS", "IPTC:City", "iptcCore:Location"]
        .contains { key.contains($0) } && !key.hasPrefix("Composite")
    }
    #expect(left.isEmpty, "\(left)")
    #expect(!has(try Data(contentsOf: photo), "SecretCity"))
    let again = try tool("clear", "--location", "--coarsen", "10km", photo.path)
    #expect(again.text.contains("unchanged"), "\(again.text)")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "A further image loses its location too, or the whole photo is refused.",
    arguments: [[], ["--coarsen", "10km"]])
  func copies(options: [String]) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch)
    let bytes = try Data(contentsOf: photo)
    try (bytes + bytes).write(to: photo)
    let hash = try sha256(photo)
    let clear = try tool.run(list: ["clear", "--location"] + options + [photo.path])
    #expect(clear.status == 0, "\(clear.text)")
    let second = scratch.url.appending(path: "second.jpg")
    let after = try Data(contentsOf: photo)
    try after.suffix(bytes.count).write(to: second)
    let left = try #require(try exiftool(["-n"], scratch.url)[second.path])
    #expect(!left.keys.contains { $0.hasPrefix("GPS:") || $0.hasPrefix("XMP-exif:GPS") || $0.contains("iptcCore:Loc") })
    #expect(left["IFD0:Artist"] as? String == "SecretArtist")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
    try (bytes + bytes.dropFirst(3)).write(to: photo)
    let refused = try tool.run(list: ["clear", "--location"] + options + [photo.path])
    let remedy = "exact copy of its position can't be erased. Use 'metatag clear --all'."
    #expect(refused.status == 1 && refused.text.contains(remedy), "\(refused.text)")
    #expect(try Data(contentsOf: photo) == bytes + bytes.dropFirst(3))
  }

  @Test(
    "--date leaves no date and keeps the location.",
    arguments: [
      "aurora-01-jetty.jpg", "borealis-06-ferns.tif", "cirrus-02-meadow.heic", "cirrus-04-signpost.png",
      "cirrus-05-rapids.webp",
    ])
  func dates(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    var tags = [
      "-ModifyDate=2024:06:01 10:00:00", "-XMP-xmp:MetadataDate=2024:06:01 10:00:00",
      "-XMP-photoshop:DateCreated=2024:05:18 07:42:12", "-GPSDateStamp=2024:05:18", "-GPSTimeStamp=05:42:12",
    ]
    if name.hasSuffix("jpg") { tags += ["-IPTC:DateCreated=2024:05:18", "-IFD1:ModifyDate=2024:06:01 10:00:00"] }
    let photo = try sample(name, in: scratch, tags)
    let hash = try sha256(photo)
    let before = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    let clear = try tool("clear", "--date", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let bytes = try Data(contentsOf: photo)
    for text in ["2024:05:18", "2024-05-18", "2024:06:01", "2024-06-01", "20240518"] {
      #expect(!has(bytes, text), "\(text)")
    }
    let after = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    let isTime = { (key: String) in
      let name = key.drop { $0 != ":" }
      return ["Date", "Time", "OffsetTime", "SubSec"].contains { name.contains($0) }
    }
    let ignored = { (key: String) in
      ["System:", "File:", "Composite:", "Media", "ICC"].contains { key.contains($0) }
        || key == "ExifTool:ExifToolVersion"
    }
    let left = after.keys.filter { isTime($0) && !ignored($0) && $0 != "ExifIFD:ExposureTime" }
    #expect(left.isEmpty, "\(left)")
    for (key, value) in before where !isTime(key) && !ignored(key) && !key.contains("IPTCDigest") {
      #expect("\(value)" == "\(after[key] ?? "none")", "\(key)")
    }
    #expect(try tool("clear", "--date", photo.path).text.contains("unchanged"))
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test("A date that can't be erased refuses --date.")
  func datesElsewhere() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch, ["-Comment=taken on 2024:05:18"])
    let hash = try sha256(photo)
    let clear = try tool("clear", "--date", photo.path)
    #expect(
      clear.status == 1 && clear.text.contains("also occurs where it can't be erased (\"taken on 2024:05:18\")"),
      "\(clear.text)")
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "Contradictory options are a usage error.",
    arguments: [
      [], ["--all", "--location"], ["--all", "--coarsen", "1km"], ["--location", "--keep", "date"],
      ["--all", "--keep", "gps"], ["--location", "--coarsen", "10"],
    ])
  func usage(options: [String]) throws {
    #expect(try Tool().run(list: ["clear"] + options + ["a.jpg"]).status == 64)
  }
}
