@testable import ImageFormats
import Testing

@testable import MetaTag

/// A reader that follows directories only forwards finds the thumbnail and the further pages.
@Suite("Growth of IFD0")
struct TIFFGrowthTests {
  private static let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xD9]
  private static let camera: [UInt16: TIFFValue] = [0x010F: .ascii("A maker"), 0x0110: .ascii("A model")]

  /// A block with a thumbnail at its end.
  private static func block(
    _ order: Bytes.Order, ifd0: [UInt16: TIFFValue] = camera, exif: [UInt16: TIFFValue] = Sample.cameraDates
  ) throws -> [UInt8] {
    var bytes = Sample.tiff(order, ifd0: ifd0, exif: exif)
    let start = bytes.count
    func directory(_ place: Int) -> [UInt8] {
      Sample.directory(
        [0x0201: .long([UInt32(place)]), 0x0202: .long([UInt32(thumbnail.count)]), 0x0131: .ascii("a program")],
        at: start, order)
    }
    let next = try TIFFBlock(Bytes(bytes), 0..<bytes.count).ifd0.range.upperBound - 4
    bytes.replaceSubrange(next..<next + 4, with: UInt32(start).bytes(order))
    return bytes + directory(start + directory(0).count) + thumbnail
  }

  private static func exif(in photo: Bytes) throws -> TIFFBlock {
    try TIFFBlock(photo, try #require(try Editing.container(of: photo).layout(of: photo).exif))
  }

  private func expectThumbnail(_ block: TIFFBlock, _ comment: Comment) throws {
    let next = try #require(block.ifd0.next)
    #expect(next > block.ifd0.range.lowerBound, comment)
    let page = try #require(block.directory(at: next))
    #expect(page.entries.map(\.tag) == [0x0131, 0x0201, 0x0202], comment)
    #expect(try block.bytes(try #require(block.thumbnail)).array == Self.thumbnail, comment)
    #expect(try block.bytes(try #require(page[0x0131]?.value)).has(Array("a program".utf8)), comment)
  }

  @Test(
    "IFD0 grows over its own values, which are moved, and over unused bytes.", arguments: [Bytes.Order.little, .big])
  func growing(order: Bytes.Order) throws {
    let old = Sample.jpeg(Sample.exif(try Self.block(order)))
    let before = try Self.exif(in: old)
    var photo = old
    for edit in [try MetadataEdit.place(), .removal, try .place(1, 2)] {
      photo = try Editing.edited(photo, edit)
      let after = try Self.exif(in: photo)
      #expect(after.ifd0.range.lowerBound == 8)
      try expectThumbnail(after, "\(edit)")
      #expect(after.ifd0.next == before.ifd0.next)
      #expect(after.text(of: 0x010F, in: .ifd0) == "A maker" && after.text(of: 0x0110, in: .ifd0) == "A model")
      #expect(after.exif?.range == before.exif?.range)
      #expect(after.exif?[TIFFTag.makerNote] == before.exif?[TIFFTag.makerNote])
    }
    let patch = try Editing.patch(try .place(), of: old)
    #expect(try patch.inverse(of: old).applied(to: Bytes(try patch.applied(to: old))) == old.array)
  }

  @Test("IFD0 moves to the end, with the directories after it, if something else is in the way.")
  func fallback() throws {
    let note: [UInt16: TIFFValue] = [0xC634: .bytes(Array("offsets count from here".utf8))]
    // A directory is in the way, or a value that only its maker understands.
    for block in [try Self.block(.little, ifd0: [0x010F: .ascii("Me")]), try Self.block(.big, ifd0: note)] {
      let photo = Sample.jpeg(Sample.exif(block))
      let (before, after) = (try Self.exif(in: photo), try Self.exif(in: try Editing.edited(photo, try .place())))
      #expect(after.ifd0.range.lowerBound > before.ifd0.range.lowerBound)
      try expectThumbnail(after, "")
      #expect(after.ifd0[0xC634]?.value == before.ifd0[0xC634]?.value)
      #expect(after.exif?.range == before.exif?.range)
    }
  }

  @Test("A long value stays where it is, and a value that entries share isn't copied for each.", arguments: [1, 60])
  func longValues(sharers: Int) throws {
    let text = String(repeating: "x", count: sharers == 1 ? 40_000 : 200)
    var block = try Self.block(.little, ifd0: [0x010F: .ascii(text)])
    if sharers > 1 {
      let tags = (0..<UInt16(sharers)).map { 0x9000 + $0 }
      block = try Self.block(
        .little, ifd0: Dictionary(uniqueKeysWithValues: tags.map { ($0, TIFFValue.ascii(text)) }))
      let ifd0 = try TIFFBlock(Bytes(block), 0..<block.count).ifd0
      let first = try #require(ifd0[0x9000]?.value)
      for tag in tags {
        let field = try #require(ifd0[tag]).position + 8
        block.replaceSubrange(field..<field + 4, with: UInt32(first.lowerBound).bytes(.little))
      }
    }
    let photo = Sample.jpeg(Sample.exif(block))
    let edited = try Editing.edited(photo, try .place())
    // A sector, which remains free for the next one.
    #expect(edited.count - photo.count <= 4_096)
    try expectThumbnail(try Self.exif(in: edited), "")
  }

  @Test("A directory that others point to isn't copied, because both would share its values.")
  func shared() throws {
    let sub: [UInt16: TIFFValue] = [0x010F: .ascii("Me"), 0x014A: .long([0])]
    var block = try Self.block(.little, ifd0: sub)
    let ifd0 = try TIFFBlock(Bytes(block), 0..<block.count).ifd0
    let next = try #require(ifd0.next)
    let field = try #require(ifd0[0x014A]).position + 8
    block.replaceSubrange(field..<field + 4, with: UInt32(next).bytes(.little))
    let after = try Self.exif(in: try Editing.edited(Sample.jpeg(Sample.exif(block)), try .place()))
    #expect(after.ifd0.next == next)
  }

  @Test("Repeated edits need no more room.", arguments: [camera, [0x010F: .ascii("Me")]])
  func again(ifd0: [UInt16: TIFFValue]) throws {
    var photo = Sample.jpeg(Sample.exif(try Self.block(.little, ifd0: ifd0)))
    var counts: Set<Int> = []
    for _ in 0..<40 {
      photo = try Editing.edited(photo, try .place())
      photo = try Editing.edited(photo, .removal)
      counts.insert(photo.count)
      try expectThumbnail(try Self.exif(in: photo), "")
    }
    #expect(counts.count == 1)
  }

  @Test("New EXIF begins with IFD0.")
  func new() throws {
    for photo in [Sample.jpeg(), try PNGSample().bytes] {
      let block = try Self.exif(in: try Editing.edited(photo, try .place()))
      #expect(block.ifd0.range.lowerBound == 8 && block.gps != nil)
    }
  }

  @Test(
    "Pages of a TIFF follow one another forwards, and references to the old ones remain valid.", arguments: [1, 12])
  func pages(count: Int) throws {
    var bytes = TIFFTests.photo(.little).array
    var last = try TIFFBlock(Bytes(bytes), 0..<bytes.count).ifd0.range.upperBound - 4
    for page in 1...count {
      bytes.replaceSubrange(last..<last + 4, with: UInt32(bytes.count).bytes(.little))
      let directory = Sample.directory([0x0131: .ascii("page \(page)")], at: bytes.count, .little)
      last = bytes.count + 14
      bytes += directory
    }
    let old = Bytes(bytes)
    let new = try Editing.edited(old, try .place())
    let block = try TIFFBlock(new, 0..<new.count)
    var (names, places, at) = ([String](), [block.ifd0.range.lowerBound], block.ifd0.next ?? 0)
    while at != 0 {
      places.append(at)
      let page = try #require(block.directory(at: at))
      names.append(String(decoding: try block.bytes(try #require(page[0x0131]?.value)).array.dropLast(), as: UTF8.self))
      at = page.next ?? 0
    }
    #expect(names == (1...count).map { "page \($0)" })
    // Many pages stay where they are.
    #expect((places == places.sorted()) == (count == 1))
    // Only the pointer in the header and the old IFD0 change among the old bytes.
    let kept = try TIFFBlock(old, 0..<old.count).ifd0.range.upperBound
    #expect(new.array[kept..<old.count] == old.array[kept...])
  }

  @Test("Pages that lead back to themselves are unchanged.")
  func circle() throws {
    var block = try Self.block(.little, ifd0: [0x010F: .ascii("Me")])
    let next = try #require(try TIFFBlock(Bytes(block), 0..<block.count).ifd0.next)
    let end = next + 2 + 3 * 12
    block.replaceSubrange(end..<end + 4, with: UInt32(next).bytes(.little))
    let after = try Self.exif(in: try Editing.edited(Sample.jpeg(Sample.exif(block)), try .place()))
    #expect(after.ifd0.next == next)
  }

  @Test("At least 512 bytes follow every value appended to a raw file, because dcraw reads that many.")
  func rawTail() throws {
    var edit = MetadataEdit()
    var raw = RawSample.nef()
    for name in ["Ada Lovelace", "Grace Hopper the second"] {
      edit.fields[.artist] = .set(.text(name))
      let new = try Editing.edited(raw, edit)
      #expect(new.count - raw.count < 1_536)
      let block = try TIFFBlock(new, 0..<new.count)
      #expect(try #require(block.ifd0[0x013B]?.value).upperBound + 512 <= new.count)
      raw = new
    }
  }
}
