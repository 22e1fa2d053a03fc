@testable import ImageFormats
import Testing

@testable import MetaTag

@Suite("EXIF for a re-encoded picture")
struct TIFFPictureTests {
  static let ifd0: [UInt16: TIFFValue] = [0x010F: .ascii("Maker"), 0x0112: .short([6]), 0x0100: .short([40])]
  static let size = PixelSize(width: 300, height: 200) ?? .smallest
  /// After IFD0's count and four entries, one of which is for EXIF.
  static let next = 8 + 2 + 4 * 12

  @Test("Size and orientation are those of the new picture.", arguments: [Bytes.Order.little, .big])
  func facts(order: Bytes.Order) throws {
    let old = Sample.tiff(order, ifd0: Self.ifd0, exif: [0xA002: .short([40]), 0x927C: .undefined(Array(1...99))])
    let bytes = Bytes(try TIFFBlock(Bytes(old), 0..<old.count).describing(Self.size))
    let new = try TIFFBlock(bytes, 0..<bytes.count)
    #expect(new.integer(of: 0x0112, in: .ifd0) == 1)
    #expect(new.integer(of: 0x0100, in: .ifd0) == 300)
    #expect(new.integer(of: 0xA002, in: .exif) == 300 && new.integer(of: 0xA003, in: .exif) == 200)
    #expect(new.text(of: 0x010F, in: .ifd0) == "Maker")
    let note = try TIFFBlock(Bytes(old), 0..<old.count).exif?[0x927C]?.value
    #expect(note != nil && new.exif?[0x927C]?.value == note)
  }

  @Test("The preview and its bytes are removed.")
  func thumbnail() throws {
    var old = Sample.tiff(ifd0: Self.ifd0, exif: [0xA002: .short([40])])
    let start = old.count
    let preview = [UInt8](repeating: 0xAB, count: 300)
    old.replaceSubrange(Self.next..<Self.next + 4, with: UInt32(start).bytes(.little))
    let fields: [(UInt16, Int)] = [(0x0201, start + 30), (0x0202, preview.count)]
    old += UInt16(2).bytes(.little)
    for (tag, value) in fields {
      old += tag.bytes(.little) + UInt16(4).bytes(.little) + UInt32(1).bytes(.little) + UInt32(value).bytes(.little)
    }
    old += [0, 0, 0, 0] + preview
    let block = try TIFFBlock(Bytes(old), 0..<old.count)
    #expect(block.thumbnail == start + 30..<start + 330)
    let new = try block.describing(Self.size)
    #expect(!new.contains(0xAB))
    #expect(try TIFFBlock(Bytes(new), 0..<new.count).ifd0.next == 0)
  }

  @Test("A directory that points to itself isn't taken for a preview.")
  func circle() throws {
    var old = Sample.tiff(ifd0: Self.ifd0, exif: [0xA002: .short([40])])
    old.replaceSubrange(Self.next..<Self.next + 4, with: UInt32(8).bytes(.little))
    let new = Bytes(try TIFFBlock(Bytes(old), 0..<old.count).describing(Self.size))
    #expect(try TIFFBlock(new, 0..<new.count).text(of: 0x010F, in: .ifd0) == "Maker")
  }
}
