import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Sidecars")
struct SidecarTests {
  private func sidecar(_ desk: Desk, of photo: FilePath) throws -> Sidecar { try Sidecar(of: Place(resolving: photo)) }

  @Test(
    "one that is there is edited, a new one is named after the whole name of its photo",
    arguments: [
      ([], "IMG_1.HEIC.xmp", false), (["IMG_1.HEIC.xmp"], "IMG_1.HEIC.xmp", true), (["IMG_1.xmp"], "IMG_1.xmp", true),
      (["IMG_1.xmp", "IMG_1.JPG"], "IMG_1.HEIC.xmp", false),
      (["IMG_1.HEIC.xmp", "IMG_1.xmp", "IMG_1.JPG"], "IMG_1.HEIC.xmp", true),
    ])
  func names(there: [String], name: String, isThere: Bool) throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(9), "IMG_1.HEIC")
    for name in there { try desk.photo(XMPSample.packet(), name) }
    let sidecar = try sidecar(desk, of: photo)
    #expect(sidecar.name.string == name)
    #expect((sidecar.file != nil) == isThere)
  }

  @Test("two of one photo are refused, and so is one that can't be read")
  func refused() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(9), "IMG_1.HEIC")
    try desk.photo(noise(90), "IMG_1.HEIC.xmp")
    #expect(throws: PhotoError.self) { try sidecar(desk, of: photo) }
    try desk.photo(XMPSample.packet(), "IMG_1.HEIC.xmp")
    try desk.photo(XMPSample.packet(), "IMG_1.xmp")
    let error = #expect(throws: PhotoError.self) { try sidecar(desk, of: photo) }
    #expect(error?.sentence.contains("IMG_1.HEIC.xmp and IMG_1.xmp") == true)
  }

  /// Place and date, of which a photo without either knows nothing.
  private static func edit() throws -> MetadataEdit {
    var edit = MetadataEdit.place(Location(try .at(-33.8568, 151.2153), altitude: 12.5))
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 36_000)))
    return edit
  }

  @Test(
    "place and date are added where there are none, and nothing else changes",
    arguments: [XMPPacket.sidecar, XMPSample.packet("xmp:Rating='5'", "<photoshop:Source>me</photoshop:Source>")])
  func added(_ old: [UInt8]) throws {
    let new = try #require(try XMPPacket(Bytes(old)).stating(try Self.edit()))
    let metadata = try XMPSample.metadata(new)
    #expect(metadata.location == Location(try .at(-33.8568, 151.2153), altitude: 12.5))
    #expect(metadata.captureTimes.map { "\($0.value)" } == ["2023-01-02T03:04:05+10:00", "2023-01-02T03:04:05+10:00"])
    #expect(try XMPPacket(Bytes(new)).stating(try Self.edit()) == nil)
    let splice = Sidecar.splice(from: old, to: new)
    #expect(splice.bytes.count < 1_000)
    #expect(try Patch([splice], to: old.count, imageData: []).applied(to: Bytes(old)) == new)
    var rest = XMPSample.text(new)
    let added = try #require(rest.range(of: " <rdf:Description rdf:about=", options: .backwards))
    let end = try #require(rest.range(of: "</rdf:Description>\n ", range: added.lowerBound..<rest.endIndex))
    rest.removeSubrange(added.lowerBound..<end.upperBound)
    #expect(rest.filter { !$0.isWhitespace } == XMPSample.text(old).filter { !$0.isWhitespace })
  }

  @Test("a moved date begins with the photo's own, and goes on from the sidecar's")
  func shifted() throws {
    var photo = Metadata()
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    photo.captureTimes = [Sourced(CaptureTime(time), .exif, tag: "DateTimeOriginal")]
    let moved = MetadataEdit.shift(3_600).stated(in: Metadata(), of: photo)
    let once = try #require(try XMPPacket(Bytes(XMPPacket.sidecar)).stating(moved))
    #expect(try XMPSample.metadata(once).captureTime.map { "\($0)" } == "2023-01-02T04:04:05")
    let twice = try #require(try XMPPacket(Bytes(once)).stating(.shift(3_600)))
    #expect(try XMPSample.metadata(twice).captureTime.map { "\($0)" } == "2023-01-02T05:04:05")
  }

  @Test("exiftool and exiv2 read a new one", .enabled(if: Oracle.has("exiftool") && Oracle.has("exiv2"), "no oracle"))
  func oracles() throws {
    let new = try #require(try XMPPacket(Bytes(XMPPacket.sidecar)).stating(try Self.edit()))
    let scratch = try Scratch()
    let copy = try scratch.write(new, as: "a.xmp")
    let tags = try Oracle.run(
      "exiftool", ["-s3", "-n", "-GPSLatitude", "-DateTimeOriginal", "-GPSAltitude", copy.path])
    #expect(tags.text == "-33.8568\n2023:01:02 03:04:05+10:00\n12.5\n")
    let exiv2 = try Oracle.run("exiv2", ["-PXkv", "pr", copy.path]).text
    #expect(exiv2.contains("Xmp.exif.GPSLatitude") && exiv2.contains("33,51.408S"), "\(exiv2)")
  }
}
