@testable import ImageFormats
import Foundation
import SystemPackage
import Testing

@testable import MetaTag

/// Unread metadata may contain what is to be erased, so an erasure must not claim that it is gone.
@Suite("Metadata that isn't read")
struct UnreadMetadataTests {
  private static let dates = {
    var edit = MetadataEdit()
    edit.erasesDates = true
    return edit
  }()

  private static func resource(_ id: UInt16, _ data: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
    Array("8BIM".utf8) + id.bytes(.big) + [0, 0] + UInt32(data.count).bytes(.big) + data
  }

  /// A TIFF whose only strip is this JPEG.
  private static func tiff(holding jpeg: [UInt8]) -> Bytes {
    let bytes = TIFFTests.photo(pixels: jpeg.count, ifd0: [0x0103: .short([7])]).array
    return Bytes(bytes.dropLast(jpeg.count) + jpeg)
  }

  private static func jxl(_ type: FourCC) -> Bytes {
    let xmp: [UInt8] = [0xBE, 0x7A, 0xCF, 0xCB] + Array("unread".utf8)
    return Bytes(
      JXLTests.head + Box.bytes(type, type == "brob" ? Array("uuid".utf8) + xmp : xmp)
        + Box.bytes("jxlc", JXLTests.codestream))
  }

  private static let app1: [UInt8] = [0xFF, 0xE1, 0, 8] + Array("Exif\0\0".utf8)

  private static let caption = IPTCSample.block([])
  private static let placed = IPTCSample.block([(90, "Paris"), (55, "20200203")])
  private static let iptc = resource(0x0404, placed)
  private static func photoshop(_ bytes: [UInt8]) -> [UInt8] {
    Sample.segment(0xED, JPEGSegment.photoshopHeader + bytes)
  }
  private static let dated = Sample.exif(Sample.tiff(exif: Sample.cameraDates))
  /// With a location and dates.
  private static let small = Sample.jpeg(dated + photoshop(iptc)).array

  private static func jpeg(holding packet: [UInt8]) throws -> Bytes {
    Sample.jpeg(Sample.segment(0xE1, JPEGSegment.xmpHeader + packet))
  }

  /// A packet with a thumbnail in lines of base64, as `xmp:Thumbnails` has them.
  private static func thumbnail(_ picture: [UInt8], break lineBreak: String = "\n") -> [UInt8] {
    let text = Data(picture).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    return XMPSample.packet(
      "xmlns:xmpGImg='http://ns.adobe.com/xap/1.0/g/img/'",
      "<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType='Resource'><xmpGImg:format>JPEG</xmpGImg:format><xmpGImg:image>"
        + text.replacing("\n", with: lineBreak)
        + "</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>")
  }

  /// A file, its name, and whether it may contain a location and a date.
  private static func samples() throws -> [(name: String, bytes: Bytes, holdsLocation: Bool, holdsDate: Bool)] {
    func tiff(_ tag: UInt16, _ value: [UInt8]) -> Bytes { TIFFTests.photo(ifd0: [tag: .bytes(value)]) }
    return [
      ("geo.tif", tiff(33_922, [1, 2, 3, 4, 5, 6]), true, false), ("text.tif", tiff(34_737, [0x57, 0]), true, false),
      ("scale.tif", tiff(33_550, [1, 2]), false, false), ("gdal.tif", tiff(42_112, Array("<x/>\0".utf8)), true, true),
      ("exif.tif", tiff(34_377, resource(0x0422)), true, true), ("xmp.tif", tiff(34_377, resource(0x0424)), true, true),
      ("other.tif", tiff(34_377, resource(0x040C)), false, false),
      ("page.tif", try TIFFPagesTests.photo(page: [34_377: .bytes(resource(0x0424))]), true, true),
      ("jpeg.tif", Self.tiff(holding: Sample.jpeg(app1).array), true, true),
      ("plain.tif", Self.tiff(holding: Sample.jpeg().array), false, false),
      ("parted.jpg", Sample.jpeg(photoshop(Array(iptc[..<20])) + photoshop(Array(iptc[20...]))), true, true),
      ("two.jpg", Sample.jpeg(photoshop(resource(0x0404, caption + [0])) + photoshop(iptc)), true, true),
      ("odd.jpg", Sample.jpeg(photoshop(resource(0x0404, [0x1C])) + photoshop(iptc)), true, true),
      ("odd.tif", tiff(34_377, resource(0x0404, [0x1C]) + iptc), true, true),
      ("one.jpg", Sample.jpeg(photoshop(iptc)), false, false), ("two.tif", tiff(34_377, iptc + iptc), true, true),
      ("thumbnail.jpg", Sample.jpeg(photoshop(resource(0x040C, [UInt8](repeating: 0, count: 28) + small))), true, true),
      ("second.jpg", Sample.jpeg(Sample.exif(Sample.tiff()) + dated), false, true),
      ("behind.png", try PNGSample(trailer: PNGSample.exif(PNGTests.located)).bytes, true, true),
      ("behind.webp", WebPTests.file([("VP8 ", WebPTests.lossy)], trailer: Array("EXIF".utf8)), true, true),
      ("picture.jpg", try jpeg(holding: thumbnail(small)), true, true),
      ("cut.jpg", try jpeg(holding: thumbnail(Array(small.prefix(dated.count)))), true, true),
      ("plain.jpg", try jpeg(holding: thumbnail(Sample.jpeg().array)), false, false),
      ("picture.webp", WebPTests.file([("VP8 ", WebPTests.lossy), ("XMP ", thumbnail(small))]), true, true),
      ("picture.xmp", Bytes(thumbnail(small, break: "&#xA;")), true, true),
      ("behind.gif", GIFTests.file(trailer: small), true, true),
      ("behind.tif", Bytes(TIFFTests.photo().array + small), true, true),
      ("resource.jpg", Sample.jpeg(photoshop(resource(0x0422))), true, true),
      ("insta.jpg", Sample.jpeg(trailer: Array("x8db42d694ccc418790edff439fe026bf".utf8)), true, false),
      ("inside.jpg", Sample.jpeg(Sample.exif(Sample.tiff(ifd0: [33_723: .undefined(placed)]))), true, true),
      ("caption.jpg", Sample.jpeg(Sample.exif(Sample.tiff(ifd0: [33_723: .undefined(caption)]))), false, false),
      ("geo.jpg", Sample.jpeg(Sample.exif(Sample.tiff(ifd0: [33_922: .long([1, 2])]))), true, false),
      ("uuid.jxl", jxl("uuid"), true, true), ("brob.jxl", jxl("brob"), true, true),
    ]
  }

  @Test("Clearing refuses unread metadata only if it may contain what is to be cleared.")
  func clear() throws {
    for (name, bytes, holdsLocation, holdsDate) in try Self.samples() {
      let image = try ImageSource(bytes, path: FilePath(name))
      for (edit, holds) in [(MetadataEdit.removal, holdsLocation), (Self.dates, holdsDate)] {
        guard holds else {
          #expect(throws: Never.self, "\(name)") { try image.patch(for: edit) }
          continue
        }
        let error = #expect(throws: FileError.self, "\(name)") { try image.patch(for: edit) }
        #expect(error?.kind == .refused, "\(name): \(String(describing: error))")
      }
      #expect(throws: Never.self, "\(name)") { try image.patch(for: try MetadataEdit.place()) }
    }
  }

  @Test("Coordinates of further pages are reported, and refuse coarse and zone clearing.")
  func additionalPages() throws {
    let bytes = try TIFFPagesTests.photo(page: [0x8825: .long([0])])
    let image = try ImageSource(bytes, path: "near.tif")
    #expect(image.metadata().unreadPlaces.map(\.value) == ["its additional pages have their own positions"])
    var edit = try MetadataEdit.place()
    #expect(throws: Never.self) { try image.patch(for: edit) }
    edit.erasesOldPlace = true
    let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
    #expect(error?.kind == .refused && error?.description.contains("additional pages") == true)
  }

  @Test("A PNG's compressed EXIF is reported and refuses clearing.")
  func packedEXIF() throws {
    let bytes = try PNGSample(before: [PNGSample.chunk("zxIf", [0, 0, 0, 0, 9, 1, 2, 3])]).bytes
    let image = try ImageSource(bytes, path: "a.png")
    #expect(image.metadata().notes.contains { $0.sentence.contains("zxIf") })
    for edit in [MetadataEdit.removal, Self.dates] {
      #expect(throws: FileError.self) { try image.patch(for: edit) }
    }
  }
}
