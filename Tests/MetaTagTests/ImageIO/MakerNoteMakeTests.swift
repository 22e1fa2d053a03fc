import SystemPackage
import Testing

@testable import MetaTag

@Suite("Maker notes and Make")
struct MakerNoteMakeTests {
  private static let bare: [UInt8] =
    [1, 0, 1, 0, 3, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
  private static let named: [UInt8] = Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + bare

  @Test(
    "Changing Make gives a warning if the maker note can be read only by it.",
    arguments: [(bare, "MK", true), (bare, "Canon", false), (named, "MK", false), (nil, "MK", false)]
      as [([UInt8]?, String, Bool)])
  func warning(note: [UInt8]?, make: String, isReported: Bool) throws {
    var exif: [UInt16: TIFFValue] = [0x9000: .undefined(Array("0230".utf8))]
    exif[0x927C] = note.map { .undefined($0) }
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(ifd0: [0x010F: .ascii("Canon")], exif: exif)))
    var edit = MetadataEdit()
    edit.fields = [.make: .set(.text(make))]
    let notes = try ImageSource(photo, path: "p.jpg").changes(for: edit).notes
    #expect(notes.map(\.code) == (isReported ? [.makerNoteUnreadable] : []))
  }
}
