import SystemPackage
import Testing

@testable import MetaTag

/// Data in JPEGs that isn't read. It may contain locations or dates, so an erasure must not claim that they are gone.
@Suite("Unread data in JPEGs")
struct JPEGUnreadTests {
  private static let exif = Sample.exif(Sample.tiff(exif: Sample.cameraDates))

  private static func error(_ photo: Bytes, _ edit: MetadataEdit) -> FileError? {
    do throws(FileError) {
      _ = try ImageSource(photo, path: "made.jpg").patch(for: edit)
      return nil
    } catch { return error }
  }

  private static var undated: MetadataEdit {
    var edit = MetadataEdit()
    edit.erasesDates = true
    return edit
  }

  @Test("FF 00 and other bytes between two segments are skipped and kept.")
  func filler() throws {
    for junk in [[0xFF, 0x00], [7, 0xFF, 0x00, 9], [0, 2]] as [[UInt8]] {
      let photo = Sample.jpeg(Self.exif + junk + Sample.jfif)
      let new = try Editing.edited(photo, try JPEGTests.edit())
      #expect(try JPEGSegments(of: new).all.count == JPEGSegments(of: photo).all.count)
      #expect(new.firstIndex(of: junk + Sample.jfif) != nil)
    }
    #expect(throws: FileError.self) { try JPEGSegments(of: Sample.jpeg([0xFF, 0xFF, 0x00] + Self.exif)) }
  }

  @Test("XMP under a wrong header is reported, and refuses erasing its location or dates.")
  func unknownXMP() throws {
    func photo(_ property: String) -> Bytes {
      let packet = XMPSample.packet("photoshop:\(property)='Oldtown'")
      return Sample.jpeg(Self.exif + Sample.segment(0xE1, Array("XMP\0://ns.adobe.com/xap/1.0/\0".utf8) + packet))
    }
    let notes = try ImageSource(photo("City"), path: "made.jpg").metadata().notes
    #expect(notes.contains { $0.code == .unreadBlock && $0.sentence.contains("non-standard header") })
    #expect(Self.error(photo("City"), .removal)?.kind == .refused)
    #expect(Self.error(photo("Credit"), .removal) == nil)
    #expect(Self.error(photo("Credit"), Self.undated)?.kind == .refused)
  }

  @Test("A C2PA manifest refuses erasing dates, and a location if any of its segments has one.")
  func manifest() throws {
    func part(_ text: String) -> [UInt8] { Sample.segment(0xEB, Array(("JP\0\u{1}\0\0\0\u{1}jumb" + text).utf8)) }
    let plain = Sample.jpeg(Self.exif + part("c2pa") + part("c2pa.actions"))
    let placed = Sample.jpeg(Self.exif + part("c2pa") + part("exif:GPSLatitude"))
    #expect(Self.error(plain, .removal) == nil)
    #expect(Self.error(placed, .removal)?.description.contains("C2PA") == true)
    #expect(Self.error(plain, Self.undated)?.description.contains("C2PA") == true)
    #expect(Self.error(placed, try JPEGTests.edit()) == nil)
  }

  @Test("Text in an archive program's trailer refuses removal of the location.")
  func trailers() throws {
    func afcp(_ part: String, count: UInt8 = 1) -> [UInt8] {
      let start = UInt32(Sample.jpeg(Self.exif).count)
      let mark = Array("AXS!".utf8)
      return mark + [1, 0, 0, count, 0, 0, 0, 0] + Array(part.utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + mark
        + start.bytes(.big)
        + [0, 0, 0, 0]
    }
    func fotoStation(_ kind: UInt8) -> [UInt8] { [1, 2, 0, kind, 0, 0, 0, 12, 0xA1, 0xB2, 0xC3, 0xD4] }
    for (trailer, isRefused) in [
      (afcp("IPTC"), true), (afcp("Nail"), false), (afcp("Nail", count: 200), true),
      (Array("AXS*".utf8) + [9, 0, 0, 0, 0, 0, 0, 0], true),
      (fotoStation(1), true), (fotoStation(2), false), (fotoStation(1) + fotoStation(2), true), ([1, 2, 3], false),
    ] {
      let photo = Sample.jpeg(Self.exif, trailer: trailer)
      #expect((Self.error(photo, .removal)?.kind == .refused) == isRefused, "\(trailer)")
    }
  }
}
