@testable import ImageFormats
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("GIF")
struct GIFTests {
  /// A screen of 32 × 24 with two colours, and one picture in pieces.
  static func file(_ version: String = "89a", _ extensions: [UInt8] = [], trailer: [UInt8] = []) -> Bytes {
    let screen: [UInt8] = [32, 0, 24, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    let picture: [UInt8] = [
      0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 32, 0, 24, 0, 0, 2, 4, 1, 2, 3, 4, 2, 5, 6, 0,
    ]
    return Bytes(
      Array("GIF\(version)".utf8) + screen + (version == "87a" ? [] : loop) + extensions + picture + [0x3B] + trailer)
  }

  static func xmp(_ packet: [UInt8]) -> [UInt8] { GIFFile.xmpHeader + packet + GIFFile.magicTrailer }

  static let samples: [(String, Bytes)] = [
    ("plain", file()), ("the first version", file("87a", trailer: [1, 2, 3])),
    ("XMP", file("89a", xmp(PNGTests.packet))),
  ]

  static func tail(of bytes: Bytes) -> Int {
    guard let end = try? GIFFile(bytes).end else { return 0 }
    return bytes.count - end - 1
  }

  private static func image(_ bytes: Bytes) throws -> ImageSource { try ImageSource(bytes, path: "made.gif") }

  private static func edited(_ bytes: Bytes, _ edit: MetadataEdit) throws -> Bytes {
    Bytes(try image(bytes).patch(for: edit).applied(to: bytes))
  }

  @Test("XMP is added at the end, and raises the version to 89a.")
  func adding() throws {
    let new = try Self.edited(Self.samples[1].1, try .place())
    let file = try GIFFile(new)
    #expect(new.has("GIF89a".utf8) && file.xmp.count == 1)
    #expect(file.end == file.xmp[0].upperBound + GIFFile.magicTrailer.count && new.array.suffix(4) == [0x3B, 1, 2, 3])
    #expect(try Self.image(new).metadata().location?.coordinate.latitude == 47.6062)
  }

  @Test("A shift moves only existing dates, and setting a date adds one.")
  func dates() throws {
    let shift = MetadataEdit.dates(.adjust(TimeShift(seconds: 60), offset: .keep))
    #expect(try Self.image(Self.samples[0].1).patch(for: shift).isEmpty)
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    let set = try Self.edited(Self.samples[0].1, .dates(.set(CaptureTime(time))))
    #expect(try Self.image(set).metadata().captureTimes.count == 2)
    #expect(try Self.image(Self.edited(set, shift)).metadata().captureTime?.civil.minute == 5)
  }

  @Test("XMP without its magic trailer is reported and not changed.")
  func otherwise() throws {
    let bytes = Self.file("89a", GIFFile.xmpHeader + [3, 0x41, 0x42, 0x43, 0])
    #expect(try Self.image(bytes).metadata().notes.contains { $0.sentence.contains("XMP") })
    let error = #expect(throws: FileError.self) { try Self.edited(bytes, try .place()) }
    #expect(error?.kind == .unsupported)
  }

  @Test("ImageMagick's IPTC is reported, and refuses removal of the location or dates.")
  func magick() throws {
    for name in ["MGKIPTC0000", "MGK8BIM0000"] {
      let bytes = Self.file("89a", [0x21, 0xFF, 11] + Array(name.utf8) + [3, 0x1C, 2, 0x5A, 0])
      let image = try Self.image(bytes)
      #expect(image.metadata().notes.contains { $0.sentence.contains("ImageMagick") })
      var dates = MetadataEdit()
      dates.erasesDates = true
      for edit in [MetadataEdit.removal, dates] {
        let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
        #expect(error?.kind == .refused && error?.offset == 38)
      }
      #expect(try Self.image(Self.edited(bytes, try .place())).metadata().locations.count == 1)
      var all = MetadataEdit()
      all.erasure = Erasure()
      #expect(try Self.edited(bytes, all).array == Self.file().array)
    }
  }

  @Test("Blocks after an extra terminator are read.")
  func endedTwice() throws {
    let comment: [UInt8] = [0x21, 0xFE, 1, 0x41, 0]
    let old = Self.file("89a", comment + [0] + comment)
    let new = try Self.edited(old, try .place())
    #expect(try Self.image(new).metadata().location?.coordinate.latitude == 47.6062)
    #expect(try GIFFile(old).descriptions.count == 2)
  }

  @Test("exiftool reads the written location.", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func exiftool() throws {
    let scratch = try Scratch()
    for (index, (_, bytes)) in Self.samples.enumerated() {
      try scratch.write(try Self.edited(bytes, try .place()).array, as: "\(index).gif")
    }
    for tags in try ExifToolTags.read(in: [scratch.url]).values {
      #expect(tags["XMP-exif:GPSLatitude"]?.hasPrefix("47.606") == true && tags["ExifTool:Warning"] == nil)
      #expect(tags["File:FileType"] == "GIF")
    }
  }
}
