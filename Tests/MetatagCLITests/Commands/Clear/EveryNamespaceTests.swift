import Foundation
import TestSupport
import Testing

/// Photos that record their location in more than EXIF, or nothing else, with whole commands.
@Suite("All namespaces", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct EveryNamespaceTests {
  static let place = [
    "-XMP-exif:GPSLatitude=10.5", "-XMP-exif:GPSLongitude=-20.25", "-IPTC:City=Oldtown", "-GPSLatitude=10.5",
    "-GPSLatitudeRef=N", "-GPSLongitude=20.25", "-GPSLongitudeRef=W",
  ]

  private func sample(_ name: String, in scratch: Scratch, _ tags: [String]) throws -> URL {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    #expect(try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [photo.path]).status == 0)
    return photo
  }

  @Test(
    "A location is replaced and erased in all namespaces, and undo restores every byte.",
    arguments: ["01-jetty.jpg", "06-ferns.tif"])
  func places(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let camera = name.hasSuffix("tif") ? "borealis" : "aurora"
    let photo = try sample("\(camera)-\(name)", in: scratch, Self.place)
    let hash = try sha256(photo)
    let geotag = try tool("geotag", "--at", "1,2", "--overwrite", "replace", photo.path)
    #expect(geotag.status == 0, "\(geotag.text)")
    let tags = try #require(try exiftool(["-n"], scratch.url)[photo.path])
    #expect(tags["XMP-exif:GPSLatitude"] as? Double == 1 && tags["GPS:GPSLatitude"] as? Double == 1)
    let clear = try tool("clear", "--location", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let left = try #require(try exiftool([], scratch.url)[photo.path]).keys
    #expect(!left.contains { $0.hasPrefix("GPS:") || $0.hasPrefix("XMP-exif:GPS") || $0 == "IPTC:City" })
    #expect(try tool("undo").status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test("A photo that records only its location can lose it again.")
  func nothingElse() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch, ["-all="])
    #expect(try tool("geotag", "--at", "1,2", photo.path).status == 0)
    let clear = try tool("clear", "--location", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let left = try #require(try exiftool([], scratch.url)[photo.path]).keys
    #expect(!left.contains { $0.hasPrefix("GPS:") })
  }

  @Test("XMP with a location that can't be edited refuses clearing.")
  func hiddenPlace() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample("aurora-01-jetty.jpg", in: scratch, ["-all=", "-XMP-photoshop:City=Oldtown"])
    var bytes = try Data(contentsOf: photo)
    let segment = try #require(xmpSegment(of: bytes))
    let packet = String(decoding: bytes[(segment.lowerBound + 33)..<segment.upperBound], as: UTF8.self)
    let wide =
      bytes[(segment.lowerBound + 4)..<(segment.lowerBound + 33)] + (packet.data(using: .utf16BigEndian) ?? Data())
    let length = [UInt8((wide.count + 2) >> 8), UInt8((wide.count + 2) & 0xFF)]
    bytes.replaceSubrange(segment, with: [0xFF, 0xE1] + length + wide)
    try bytes.write(to: photo)
    let clear = try tool("clear", "--location", photo.path)
    #expect(clear.status == 1)
    #expect(clear.text.contains("contains a location and can't be edited"), "\(clear.text)")
    #expect(try Data(contentsOf: photo) == bytes)
  }

  @Test("A second XMP packet changes with the first.")
  func secondPacket() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try sample(
      "aurora-01-jetty.jpg", in: scratch,
      ["-all=", "-XMP-photoshop:City=Oldtown", "-XMP-photoshop:DateCreated=2024:05:23 18:38:41"])
    var bytes = try Data(contentsOf: photo)
    let segment = try #require(xmpSegment(of: bytes))
    bytes.insert(contentsOf: Data(bytes[segment]), at: segment.lowerBound)
    try bytes.write(to: photo)
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    #expect(try tool("clear", "--location", photo.path).status == 0)
    let new = try Data(contentsOf: photo)
    for word in ["Oldtown", "T18:38:41"] { #expect(new.range(of: Data(word.utf8)) == nil, "\(word)") }
  }

  private func xmpSegment(of jpeg: Data) -> Range<Int>? {
    guard let header = jpeg.range(of: Data("http://ns.adobe.com/xap/1.0/\0".utf8)) else { return nil }
    let start = header.lowerBound - 4
    return start..<(start + 2 + Int(jpeg[start + 2]) * 256 + Int(jpeg[start + 3]))
  }
}
