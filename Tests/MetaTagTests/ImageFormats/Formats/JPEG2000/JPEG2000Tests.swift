@testable import ImageFormats
import TestSupport
import Testing

@testable import MetaTag

@Suite("JPEG 2000")
struct JPEG2000Tests {
  private static let head =
    Box.bytes("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + Box.bytes("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
  private static let header = Box.bytes(
    "jp2h", Box.bytes("ihdr", UInt32(480).bytes(.big) + UInt32(640).bytes(.big) + [0, 3, 7, 7, 0, 0]))
  /// A codestream whose image begins at column 10 and row 20 of its grid.
  private static let codestream: [UInt8] =
    [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + [650, 500, 10, 20].flatMap { UInt32($0).bytes(.big) }
    + Array(1...30) + [0xFF, 0xD9]
  private static let camera: [UInt16: TIFFValue] = [0x010F: .ascii("A maker"), 0x0110: .ascii("R0")]
  private static let gps = Sample.place(
    [Rational(47, 1), Rational(36, 1), Rational(0, 1)], "N", [Rational(1, 1), Rational(2, 1), Rational(3, 1)], "W")
  private static let exif = Sample.tiff(ifd0: camera, exif: Sample.cameraDates)
  private static let exifWithPlace = Sample.tiff(ifd0: camera, exif: Sample.cameraDates, gps: gps)
  private static let packet = XMPSample.packet(
    #"exif:GPSLatitude="47,36N" exif:GPSLongitude="1,2.05W" photoshop:City="Somewhere""#)
  private static let records: [UInt8] = [0x1C, 2, 90, 0, 9] + Array("Somewhere".utf8)

  private static let exifID = Array("JpgTiffExif->JP2".utf8)
  private static let xmpID: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  private static let iptcID: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]
  private static let geoID: [UInt8] = [
    0xB1, 0x4B, 0xF8, 0xBD, 0x08, 0x3D, 0x4B, 0x43, 0xA5, 0xAE, 0x8C, 0xD7, 0xD5, 0xA6, 0xCE, 0x03,
  ]

  /// A file with these boxes between its header and its picture.
  static func file(_ boxes: [UInt8]) -> Bytes { Bytes(head + header + boxes + Box.bytes("jp2c", codestream)) }

  static let sample = file(Box.bytes("uuid", exifID + exif))

  private static func image(_ bytes: Bytes) throws -> ImageSource { try ImageSource(bytes, path: "a.jp2") }

  @Test(
    "The size is that of the header, else that of the codestream.",
    arguments: [sample, Bytes(codestream), Bytes(head + Box.bytes("jp2c", codestream))])
  func size(bytes: Bytes) throws {
    let image = try Self.image(bytes)
    #expect(image.type == .jp2)
    #expect(image.properties.pixelSize == PixelSize(width: 640, height: 480))
  }

  @Test(
    "A place is read from every kind of box, and never claimed to be erased.",
    arguments: [
      Box.bytes("uuid", exifID + exifWithPlace), Box.bytes("uuid", exifID + Array("Exif\0\0".utf8) + exifWithPlace),
      Box.bytes("uuid", xmpID + packet), Box.bytes("xml ", packet), Box.bytes("uuid", iptcID + records),
      Box.bytes("uuid", geoID + exif),
    ])
  func place(box: [UInt8]) throws {
    let image = try Self.image(Self.file(box))
    #expect(image.metadata().holdsLocation)
    for edit in [MetadataEdit.removal, .datesRemoval, .everything] {
      let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
      #expect([.unsupported, .refused].contains(error?.kind))
    }
    #expect(try image.patch(for: MetadataEdit()).isEmpty)
  }

  @Test("A file without a place can't be cleared either, since not every box is known.")
  func unknown() throws {
    let image = try Self.image(Self.file(Box.bytes("uuid", [UInt8](repeating: 9, count: 40))))
    #expect(!image.metadata().holdsLocation)
    #expect(throws: FileError.isReadOnly(.jp2, erasing: true)) { try image.patch(for: .removal) }
    #expect(throws: FileError.isReadOnly(.jp2, erasing: true)) { try image.patch(for: .everything) }
  }

  @Test("An xml box of another kind is not read, and EXIF that is broken is reported.")
  func others() throws {
    let plain = try Self.image(Self.file(Box.bytes("xml ", Array("<gml:pos>47 1</gml:pos>".utf8))))
    #expect(plain.metadata().notes.isEmpty && plain.layout.xmp == nil)
    let broken = try Self.image(Self.file(Box.bytes("uuid", Self.exifID + [1, 2, 3])))
    #expect(broken.metadata().notes.count == 1)
  }

  @Test("A file has no thumbnail, and no picture to decode.", arguments: [sample, Bytes(codestream)])
  func pixels(bytes: Bytes) throws {
    let image = try Self.image(bytes)
    #expect(image.container.thumbnails(image.layout, source: bytes).isEmpty)
    let picture = try image.container.codedPicture(image.layout, source: bytes)
    #expect(picture == nil)
  }
}

extension MetadataEdit {
  fileprivate static var datesRemoval: MetadataEdit {
    var edit = MetadataEdit()
    edit.erasesDates = true
    return edit
  }

  fileprivate static var everything: MetadataEdit {
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    return edit
  }
}
