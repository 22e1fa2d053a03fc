import Foundation
import TestSupport
import Testing

/// Place names with whole commands, checked by exiftool.
@Suite("Place names", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct NameTests {
  static let folders = ["jpeg-makernote", "jpeg-orientation", "jpeg-special", "tiff", "heic", "avif", "mov", "raw"]
  /// Tags about a new location and its names, and tags that only describe the file.
  static let expected =
    RoundTripTests.expected + [
      "XMP-photoshop:", "XMP-iptcCore:", "XMP-iptcExt:", "IPTC:", "QuickTime:MediaData", "Keys:", "UserData:",
      "ItemList:", "MetaImageSize", "QuickTime:HandlerType", "QuickTime:HandlerVendorID",
      // New EXIF; offsets from the file's start; the last handler; and BigTIFF, whose XMP exiftool reads as numbers.
      "ExifIFD:ExifVersion", "IFD1:ThumbnailOffset", "HandlerType", "GPSInfo:Interop", "IFD0:ApplicationNotes",
      // Photo Mechanic's copy of the code, which follows.
      "XMP-photomech:CountryCode",
      // Panasonic's preview, whose location follows.
      "IFD0:JpgFromRaw",
    ]
  /// Whether a tag is a place name. All others must stay.
  private static func isName(_ key: String) -> Bool {
    ["City", "State", "Country", "ocation", "CodedCharacterSet", "Keys:GPS", "UserData:GPS", "ItemList:GPS"]
      .contains(where: key.contains)
  }

  @Test(
    "Names are written to real photos of every kind, nothing else changes, and undo restores them.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"), arguments: folders)
  func roundTrip(folder: String) throws {
    let tool = try Tool()
    let photos = try Photos(copying: "corpus/\(folder)")
    let before = try exiftool([], photos.folder)
    let run = try tool(
      "geotag", "--at", "48.1374,11.5755", "--names", "--language", "de", "--overwrite", "replace", "--raw", "in-place",
      "--json", "-r", photos.path)
    let after = try exiftool([], photos.folder)
    let changed = try paths(run)
    #expect(changed.count > 0, "\(run.errors)")
    // exiftool reads neither XMP of BigTIFF nor of sequences.
    for path in changed where !path.contains("BigTIFF") && !path.hasSuffix("avifs") {
      let new = try #require(after[path], "\(path)")
      // Values that can't be written to the file are in its sidecar.
      let recorded = after[path + ".xmp"] ?? new
      #expect(recorded["XMP-photoshop:City"] as? String == "München", "\(path)")
      #expect(recorded["XMP-iptcCore:CountryCode"] as? String == "DE", "\(path)")
      #expect("\(recorded["XMP-iptcExt:LocationCreatedCountryName"] ?? "")" == "Deutschland", "\(path)")
      let old = before[path] ?? [:]
      // Whether the photo has IIM, even if only an empty block.
      let hadIIM = old.keys.contains { $0.hasPrefix("IPTC:") || $0.hasSuffix("IPTCDigest") }
      #expect(new["IPTC:City"] == nil || hadIIM, "\(path)")
      for key in Set(old.keys).union(new.keys).sorted() {
        if Self.expected.contains(where: key.contains), !key.contains("IPTC:") || Self.isName(key) { continue }
        // A camera's names of the old location are removed.
        let isOldName = ["Country", "State", "City"].contains { key == "Panasonic:\($0)" }
        if isOldName, new[key] as? String == "" { continue }
        if RoundTripTests.beyondTheJudge.contains(where: "\(path) \(key)".contains) { continue }
        #expect("\(old[key] ?? "none")" == "\(new[key] ?? "none")", "\(path) \(key)")
      }
    }
    let again = try tool(
      "name", "--language", "de", "--overwrite", "replace", "--raw", "in-place", "--json", "-r", photos.path)
    #expect(try paths(again).isEmpty)
    #expect(try tool("undo").status == 0)
    for (file, hash) in photos.hashes { #expect(try sha256(file) == hash, "\(file.path)") }
  }

  private func paths(_ answer: Oracle.Answer) throws -> [String] {
    let report = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
    let rows = report?["rows"] as? [[String: Any]] ?? []
    return rows.filter { $0["outcome"] as? String == "changed" }.compactMap { $0["path"] as? String }
  }

  private func sample(_ name: String, in scratch: Scratch, _ tags: [String]) throws -> URL {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let answer = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [photo.path])
    #expect(answer.status == 0, "\(answer.errors)")
    return photo
  }

  private static let munich = [
    "-GPSLatitude=48.1374", "-GPSLatitudeRef=N", "-GPSLongitude=11.5755", "-GPSLongitudeRef=E",
  ]

  @Test(
    "Names follow in IPTC in its encoding, and garble nothing.",
    arguments: [
      ("-IPTC:CodedCharacterSet=UTF8", "München", "Éléonore", true), ("-IPTC:City=x", "München", "Éléonore", true),
      ("-IPTC:City=x", "München", "Eleonore", true),
    ])
  func iptc(tag: String, city: String, writer: String, isDigestRight: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample(
      "aurora-01-jetty.jpg", in: scratch,
      Self.munich + [tag, "-IPTC:By-line=\(writer)", "-Photoshop:IPTCDigest=new", "-IPTC:Sub-location=Stale"])
    #expect(try tool("name", "--language", "de", "--overwrite", "replace", photo.path).status == 0)
    let tags = try #require(try exiftool([], scratch.url)[photo.path])
    #expect(tags["IPTC:City"] as? String == city)
    #expect(tags["IPTC:By-line"] as? String == writer)
    #expect(tags["IPTC:Country-PrimaryLocationCode"] as? String == "DEU")
    #expect(tags["IPTC:Sub-location"] == nil)
    #expect((tags["Photoshop:IPTCDigest"] as? String == tags["File:CurrentIPTCDigest"] as? String) == isDigestRight)
  }

  @Test("The owner's names stay, a moved photo's are removed or reported, and clear erases all.")
  func policies() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample(
      "aurora-01-jetty.jpg", in: scratch,
      Self.munich + [
        "-XMP-photoshop:City=Grandma's", "-XMP-iptcExt:LocationCreatedLocationName=Home",
        "-XMP-iptcExt:LocationShownCity=Elsewhere",
      ])
    let kept = try tool("name", photo.path)
    #expect(kept.status == 0 && kept.text.contains("already has place names"), "\(kept.text)")
    let moved = try tool(
      "geotag", "--at", "35.0037,135.7751", "--overwrite", "replace", "--keep-names", photo.path)
    #expect(moved.text.contains("keeps the place names of its old location"), "\(moved.text)")
    let named = try tool("geotag", "--at", "-48.9,-123.4", "--names", "--overwrite", "replace", photo.path)
    #expect(named.status == 0, "\(named.text)")
    let atSea = try #require(try exiftool([], scratch.url)[photo.path])
    #expect(atSea["XMP-photoshop:City"] == nil)
    #expect(atSea["XMP-iptcCore:Location"] as? String == "South Pacific Ocean")
    #expect(named.text.contains("loses details of the old location"), "\(named.text)")
    #expect(named.text.contains("keeps Elsewhere as the place shown"), "\(named.text)")
    let again = try tool("name", "--overwrite", "replace", photo.path)
    #expect(again.text.contains("nothing to do; keeps Elsewhere as the place shown"), "\(again.text)")
    #expect(atSea["XMP-iptcExt:LocationCreatedLocationName"] == nil)
    #expect(atSea["XMP-iptcExt:LocationShownCity"] as? String == "Elsewhere")
    #expect(try tool("clear", "--location", photo.path).status == 0)
    let left = try #require(try exiftool([], scratch.url)[photo.path])
    #expect(!left.keys.contains { $0.contains("Location") || $0.contains("City") }, "\(left.keys)")
    let bytes = try Data(contentsOf: photo)
    for word in ["Grandma", "Elsewhere", "South Pacific"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
  }

  @Test("The shown place follows if it had the same names, in geotag and in a later name.")
  func shownFollows() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch, Self.munich + ["-XMP:all=", "-IPTC:all="])
    func shown() throws -> [String?] {
      let tags = try #require(try exiftool([], scratch.url)[photo.path])
      return ["City", "CountryName"].map { tags["XMP-iptcExt:LocationShown\($0)"] as? String }
    }
    #expect(try tool("name", "--shown", photo.path).status == 0)
    #expect(try shown() == ["Munich", "Germany"])
    let kyoto = try tool("geotag", "--at", "35.0037,135.7751", "--names", "--overwrite", "replace", photo.path)
    #expect(kyoto.status == 0 && !kyoto.text.contains("as the place"), "\(kyoto.text)")
    #expect(try shown() == ["Kyoto", "Japan"])
    let kept = try tool("geotag", "--at", "48.1374,11.5755", "--overwrite", "replace", "--keep-names", photo.path)
    #expect(kept.status == 0)
    #expect(try shown() == ["Kyoto", "Japan"])
    let munich = try tool("name", "--overwrite", "replace", photo.path)
    #expect(munich.status == 0 && !munich.text.contains("as the place"), "\(munich.text)")
    #expect(try shown() == ["Munich", "Germany"])
    #expect(try tool("undo").status == 0)
    #expect(try shown() == ["Kyoto", "Japan"])
  }

  @Test("Names of a photo that gets its first location stay and are reported.")
  func firstPosition() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch, ["-GPS:all=", "-XMP:all=", "-XMP-photoshop:City=Paris"])
    let tagged = try tool("geotag", "--at", "35.0037,135.7751", "--names", photo.path)
    #expect(tagged.text.contains("keeps its place names"), "\(tagged.text)")
    #expect(try exiftool([], scratch.url)[photo.path]?["XMP-photoshop:City"] as? String == "Paris")
  }

  @Test("IPTC with only place names can be cleared in a TIFF.")
  func clearedTIFF() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-06-ferns.tif"))
    let before = try Data(contentsOf: photo)
    #expect(try tool("geotag", "--at", "35.0037,135.7751", "--names", "--iptc", photo.path).status == 0)
    #expect(try exiftool([], scratch.url)[photo.path]?["IPTC:City"] as? String == "Kyoto")
    let cleared = try tool("clear", "--location", photo.path)
    #expect(cleared.status == 0, "\(cleared.text)")
    let tags = try #require(try exiftool([], scratch.url)[photo.path])
    #expect(!tags.keys.contains { $0.hasPrefix("IPTC:") || $0.hasPrefix("GPS:") }, "\(tags.keys)")
    for _ in 1...2 { #expect(try tool("undo").status == 0) }
    #expect(try Data(contentsOf: photo) == before)
  }

  @Test("The recorded location keeps every byte, and an unknown language is refused.")
  func position() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch, Self.munich)
    func position() throws -> String { try Oracle.run("exiftool", ["-n", "-GPS:all", photo.path]).text }
    let before = try position()
    #expect(try tool("name", "--language", "xx", photo.path).status == 64)
    #expect(try tool("name", "--shown", "--iptc", photo.path).status == 0)
    #expect(try position() == before)
    let shown = try tool("show", photo.path).text
    #expect(shown.contains("Munich, Bavaria, Germany"), "\(shown)")
    let tags = try #require(try exiftool([], scratch.url)[photo.path])
    #expect(tags["IPTC:City"] as? String == "Munich" && tags["XMP-iptcExt:LocationShownCity"] as? String == "Munich")
  }
}
