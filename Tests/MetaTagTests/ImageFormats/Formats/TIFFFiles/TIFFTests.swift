@testable import ImageFormats
@testable import SafeWriting
import SystemPackage
import Testing

@testable import MetaTag

@Suite("TIFF")
struct TIFFTests {
  static func photo(
    _ order: Bytes.Order = .little, pixels: Int = 64, ifd0: [UInt16: TIFFValue] = [:], gps: [UInt16: TIFFValue] = [:]
  ) -> Bytes {
    var ifd0 = ifd0
    ifd0[0x0100] = .short([8])
    ifd0[0x0117] = .long([UInt32(pixels)])
    ifd0[0x0111] = .long([0])
    let head = Sample.tiff(order, ifd0: ifd0, exif: Sample.cameraDates, gps: gps).count
    ifd0[0x0111] = .long([UInt32(head)])
    let block = Sample.tiff(order, ifd0: ifd0, exif: Sample.cameraDates, gps: gps)
    return Bytes(block + [UInt8](repeating: 0xAB, count: pixels))
  }

  @Test("An edit appends and changes a pointer, and the pixels stay.", arguments: [Bytes.Order.little, .big])
  func editing(order: Bytes.Order) throws {
    let old = Self.photo(order)
    let new = try Editing.edited(old, try JPEGTests.edit())
    let layout = try TIFFContainer().layout(of: old)
    #expect(layout.imageData.count == 1)
    for range in layout.imageData {
      #expect(try old.bytes(range).array == new.bytes(range).array)
    }
    #expect(try Editing.metadata(of: new).location?.altitude == 40)
    #expect(try Editing.metadata(of: new).captureTime.map { "\($0)" } == "2024-05-23T18:38:41.601+09:00")
    #expect(try Editing.patch(try JPEGTests.edit(), of: new).isEmpty)
    #expect(try Editing.edited(new, try JPEGTests.edit(1, 2)).count == new.count)
  }

  @Test("A new EXIF directory records the current version, and an existing one keeps its version.")
  func version() throws {
    let edit = MetadataEdit.dates(.set(try CaptureTime(parsing: "2019-03-04T05:06:07")))
    let bare = Sample.tiff(ifd0: [0x0100: .short([8]), 0x0111: .long([8]), 0x0117: .long([2])])
    for (old, wanted) in [(Bytes(bare), "0231"), (Self.photo(), "0230")] {
      let new = try Editing.edited(old, edit)
      #expect(try TIFFBlock(new, 0..<new.count).text(of: TIFFTag.exifVersion, in: .exif) == wanted)
    }
  }

  @Test("Editing a large file commits in one sector, and erasing follows the commit.")
  func bigFile() throws {
    let place = Sample.place([Rational(47, 1), Rational(36, 1), Rational(0, 1)], "N", [Rational(1, 1)], "E")
    for gps in [[:], place] {
      let old = Self.photo(pixels: 17 << 20, gps: gps)
      var edit = try JPEGTests.edit()
      edit.dates = .adjust(TimeShift(seconds: 4_980), offset: .set(.utc))
      for edit in gps.isEmpty ? [edit] : [edit, .removal] {
        let patch = try Editing.patch(edit, of: old)
        #expect(patch.commitSector() == 0..<512)
        #expect(patch.splices.filter { $0.use == .both }.map(\.range) == [4..<8, old.count..<old.count])
        // Old dates, or the old location.
        #expect(patch.splices.contains { $0.use == .old })
        #expect(InPlaceEdit(patch) != nil)
        #expect(InPlaceEdit(try patch.inverse(of: old)) != nil)
      }
    }
  }

  @Test("XMP and IPTC are stored in tags.", arguments: [Bytes.Order.little, .big])
  func packets(order: Bytes.Order) throws {
    let source = Self.photo(order, ifd0: [33_723: .long([7, 8])])
    var changes = BlockChanges()
    changes.xmp = Array("<x:xmpmeta/>".utf8)
    changes.iptc = [0x1C, 2, 55, 0, 1, 0x41]
    let layout = try TIFFContainer().layout(of: source)
    let new = Bytes(try TIFFContainer().patch(changes, layout: layout, source: source).applied(to: source))
    let found = try TIFFContainer().layout(of: new)
    #expect(try new.bytes(try #require(found.xmp)).array == changes.xmp)
    #expect(try new.bytes(try #require(found.iptc)).array == changes.iptc)
    #expect(try TIFFContainer().patch(changes, layout: found, source: new).isEmpty)
  }

  @Test("An empty IPTC block is removed with its tag.", arguments: [Bytes.Order.little, .big])
  func emptiedIPTC(order: Bytes.Order) throws {
    let city: [UInt8] = [0x1C, 2, 0x5A, 0, 5] + Array("Kyoto".utf8)
    let old = Self.photo(order, ifd0: [33_723: .undefined(city)])
    let new = Bytes(try ImageSource(old, path: "made.tif").patch(for: .removal).applied(to: old))
    let block = try TIFFBlock(new, 0..<new.count)
    #expect(block.ifd0[33_723] == nil && block.ifd0[0x0111] != nil)
    #expect(new.firstIndex(of: Array("Kyoto".utf8)) == nil)
    #expect(try ImageSource(new, path: "made.tif").patch(for: .removal).isEmpty)
  }

  @Test("Entries keep their order, even a wrong one, and new ones follow the smaller tags.")
  func order() throws {
    func entry(_ tag: UInt16, _ type: UInt16) -> [UInt8] {
      tag.bytes(.little) + type.bytes(.little) + UInt32(1).bytes(.little) + UInt32(8).bytes(.little)
    }
    // A real file of an old scanner has two entries without a type.
    let entries = [entry(0x0100, 3), entry(0x0128, 3), entry(0, 0), entry(0x0111, 4), entry(0x0117, 4), entry(0, 0)]
    let head: [UInt8] = [0x49, 0x49, 42, 0, 16, 0, 0, 0] + [UInt8](repeating: 0xAB, count: 8)
    let file = Bytes(head + UInt16(6).bytes(.little) + entries.joined() + [0, 0, 0, 0])
    let new = try Editing.edited(file, try JPEGTests.edit())
    let block = try TIFFBlock(new, 0..<new.count)
    let start = block.ifd0.range.lowerBound
    let count = Int(try block.bytes(start..<start + 2).u16(0, .little))
    let tags = try (0..<count).map { try block.bytes(start + 2 + 12 * $0..<start + 4 + 12 * $0).u16(0, .little) }
    #expect(tags == [0x0100, 0x0128, 0, 0x0111, 0x0117, 0x8825, 0])
  }

  @Test("A cut TIFF is refused.")
  func refusals() throws {
    let whole = Self.photo()
    let cut = try whole.bytes(0..<whole.count - 1)
    #expect(throws: FileError.self) { try Editing.edited(cut, try JPEGTests.edit()) }
  }

  @Test("A value that runs past the end is refused, because appended data would become part of it.")
  func valuePastTheEnd() throws {
    let whole = Sample.tiff(.little, ifd0: [0x010D: .ascii("a document's name"), 0x0112: .short([1])])
    let error = #expect(throws: FileError.self) {
      try Editing.edited(Bytes(Array(whole.dropLast(4))), try JPEGTests.edit())
    }
    #expect(error?.kind == .refused)
    #expect(error?.description.contains("0x10D") == true)
    #expect(error?.offset == 10)
  }

  @Test("Circular directories are read once, and an edit is refused.")
  func circle() throws {
    var block = Sample.tiff(ifd0: [0x010F: .ascii("A maker"), 0x8769: .long([8]), 0x8825: .long([8])])
    let next = try #require(try TIFFBlock(Bytes(block), 0..<block.count).ifd0.range.upperBound as Int?)
    block.replaceSubrange(next - 4..<next, with: UInt32(8).bytes(.little))
    #expect(try TIFFReferences(of: TIFFBlock(Bytes(block), 0..<block.count)).directories.count == 1)
    #expect(try Editing.metadata(of: Bytes(block)).make == "A maker")
    for edit in [try JPEGTests.edit(), .removal] {
      let error = #expect(throws: FileError.self) { try Editing.edited(Bytes(block), edit) }
      #expect(error?.kind == .refused)
    }
  }

  @Test("A circular chain of pages is refused, because the first page would have to move.")
  func pagesInCircle() throws {
    var file = Self.photo().array
    let second = UInt32(file.count)
    let first = try TIFFBlock(Bytes(file), 0..<file.count).ifd0.range
    file.replaceSubrange(first.upperBound - 4..<first.upperBound, with: second.bytes(.little))
    let page = UInt16(1).bytes(.little) + UInt16(0x0100).bytes(.little) + UInt16(3).bytes(.little)
    file += page + UInt32(1).bytes(.little) + UInt32(8).bytes(.little) + UInt32(first.lowerBound).bytes(.little)
    let error = #expect(throws: FileError.self) { try Editing.edited(Bytes(file), try JPEGTests.edit()) }
    #expect(error?.description.contains("loop") == true)
  }

  @Test("A chain that leads into the header is refused, because an edit changes the header.", arguments: [1, 4, 7])
  func directoryInHeader(place: UInt32) throws {
    var file = Self.photo().array
    let end = try TIFFBlock(Bytes(file), 0..<file.count).ifd0.range.upperBound
    file.replaceSubrange(end - 4..<end, with: place.bytes(.little))
    let error = #expect(throws: FileError.self) { try Editing.edited(Bytes(file), try JPEGTests.edit()) }
    #expect(error?.description.contains("header") == true)
  }

  @Test(
    "The type is recognised by the file's first bytes.",
    arguments: [
      ([0x49, 0x49, 42, 0], .tiff), ([0x4D, 0x4D, 0, 42], .tiff), ([0x4D, 0x4D, 0, 43, 0, 8, 0, 0], .bigTIFF),
      ([0x49, 0x49, 0x52, 0x4F], .orf), ([0x4D, 0x4D, 0x4F, 0x52], .orf), ([0x49, 0x49, 0x55, 0], .rw2),
      ([0x49, 0x49, 0x54, 0], nil), ([0xFF, 0xD8, 0xFF, 0xE0], nil),
    ] as [([UInt8], ImageType?)])
  func types(head: [UInt8], expected: ImageType?) {
    #expect(TIFFContainer().type(of: Bytes(head + [UInt8](repeating: 0, count: 32))) == expected)
  }

  @Test("A DNG is recognised by IFD0, wherever that is.")
  func dng() throws {
    let old = Self.photo(pixels: 100_000, ifd0: [0xC612: .bytes([1, 4, 0, 0])])
    let new = try Editing.edited(old, try JPEGTests.edit())
    for file in [old, new] { #expect(try ImageSource(file, path: "a").type == .dng) }
  }
}
