@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("JPEG XL")
struct JXLTests {
  static let codestream: [UInt8] = [0xFF, 0x0A] + Array(1...60)
  static let head = JXLFile.signature + Box.bytes("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
  /// Stored, not compressed (RFC 7932, 9.2): one piece of up to 64 KB, and the end.
  static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    // A window of 16 bits (1 bit), not the last (1), four nibbles (2), length minus one (16), not compressed (1),
    // padding.
    let lead = UInt32(bytes.count - 1) << 4 | 1 << 20
    return lead.bytes(.little).prefix(3) + bytes + [0x03]
  }
  private static func packed(_ type: FourCC, _ bytes: [UInt8]) -> [UInt8] {
    Box.bytes("brob", type.bytes + brotli(bytes))
  }
  private static func exif(_ tiff: [UInt8], lead: [UInt8] = [0, 0, 0, 0]) -> [UInt8] { Box.bytes("Exif", lead + tiff) }
  private static let picture = Box.bytes("jxlc", codestream)

  /// A `jbrd` box of a JPEG with these segments: 0 JFIF, 1 an ICC profile, 2 EXIF, 3 XMP, 4 Photoshop, 5 a comment.
  static func reconstruction(_ kinds: [Int], between: Int = 0, tail: Int = 0) -> [UInt8] {
    var bits = [0]
    func add(_ number: Int, _ count: Int) { bits += (0..<count).map { number >> $0 & 1 } }
    for kind in kinds { add([0xE0, 0xE2, 0xE1, 0xE1, 0xED, 0xFE][kind] - 0xC0, 6) }
    for marker in [0xDB, 0xC0, 0xC4] + (between > 0 ? [0xFF] : []) + [0xDA, 0xD9] { add(marker - 0xC0, 6) }
    for kind in kinds where kind < 5 {
      add([0, 1, 2, 2, 0][kind], 2)
      if kind == 2 || kind == 3 { add(kind - 2, 1) }
      add(kind == 0 ? 16 : 1_000, 16)
    }
    for kind in kinds where kind == 5 { add(10, 16) }
    // One quantisation table, grey, and four Huffman codes of one symbol.
    add(0, 2 + 4 + 2 + 2 + 2)
    for _ in 0..<4 {
      add(0, 4 + 16 * 2)
      add(1, 2)
      add(0, 4)
    }
    // One scan, no reset points, no runs of zeros.
    add(0, 2 + 20 + 6 + 2 + 2 + 2)
    if between > 0 { add(between, 16) }
    add(tail > 0 ? 1 : 0, 2)
    if tail > 0 { add(tail - 1, 8) }
    // The padding is regular.
    add(0, 1)
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      UInt8(bits[start..<min(bits.count, start + 8)].enumerated().reduce(0) { $0 | $1.element << $1.offset })
    }
    return Box.bytes("jbrd", bytes + Array(1...20))
  }

  private static let openPicture: [UInt8] = [0, 0, 0, 0] + Array("jxlc".utf8) + codestream
  private static let widePicture: [UInt8] =
    [0, 0, 0, 1] + Array("jxlc".utf8) + UInt64(16 + codestream.count).bytes(.big) + codestream
  private static let heifExif = exif(PNGTests.located, lead: [0, 0, 0, 6] + Array("Exif\0\0".utf8))
  private static let parts: [[UInt8]] = [
    Box.bytes("jxll", [10]), Box.bytes("jxlp", [0, 0, 0, 0] + Array(codestream.prefix(20))), exif(PNGTests.located),
    Box.bytes("xml ", PNGTests.packet), Box.bytes("jxlp", [0x80, 0, 0, 1] + Array(codestream.dropFirst(20))),
  ]
  private static let packedExif = packed("Exif", [0, 0, 0, 0] + PNGTests.located)

  private static func file(_ boxes: [UInt8]...) -> Bytes { Bytes(head + boxes.flatMap { $0 }) }

  static let samples: [(String, Bytes)] = [
    ("naked", Bytes(codestream)),
    ("in boxes", file(picture)),
    ("open", file(openPicture)),
    ("64-bit size", file(widePicture)),
    ("EXIF", file(exif(PNGTests.exif), picture)),
    ("EXIF as in HEIF", file(picture, heifExif)),
    ("EXIF and XMP between the parts", Bytes(head + parts.flatMap { $0 })),
    ("packed", file(packedExif, packed("xml ", PNGTests.packet), picture)),
    ("packed and plain", file(packedExif, exif(PNGTests.located), picture)),
    ("of a JPEG without EXIF", file(reconstruction([0, 1]), picture)),
  ]

  /// A bare codestream, one in a box without a size and one in parts don't record their end, nor do boxes after them.
  static func tail(of bytes: Bytes) -> Int {
    guard let file = try? JXLFile(bytes) else { return 0 }
    if file.isNaked { return bytes.count - 2 }
    return file.codestreams.first.map { $0.isOpen ? $0.payload.count : bytes.count - $0.range.upperBound } ?? 0
  }

  private static func image(_ bytes: Bytes) throws -> ImageSource { try ImageSource(bytes, path: "made.jxl") }

  private static func edited(_ bytes: Bytes, _ edit: MetadataEdit) throws -> Bytes {
    Bytes(try image(bytes).patch(for: edit).applied(to: bytes))
  }

  private static func types(_ bytes: Bytes) throws -> [String] { try JXLFile(bytes).boxes.map { $0.type.description } }

  @Test("A bare codestream is put into boxes, and an open box stays last.")
  func wrapping() throws {
    #expect(try Self.types(Self.edited(Self.samples[0].1, try .place())) == ["JXL ", "ftyp", "Exif", "jxlc"])
    #expect(try Self.types(Self.edited(Self.samples[2].1, try .place())) == ["JXL ", "ftyp", "Exif", "jxlc"])
  }

  @Test("Compressed metadata is written uncompressed, and the old boxes are removed.")
  func packedBlocks() throws {
    var edit = try MetadataEdit.place()
    edit.dates = .adjust(TimeShift(seconds: 60), offset: .keep)
    let new = try Self.edited(Self.samples[7].1, edit)
    #expect(try Self.types(new) == ["JXL ", "ftyp", "Exif", "xml ", "jxlc"])
    #expect(try Self.types(Self.edited(Self.samples[8].1, edit)) == ["JXL ", "ftyp", "Exif", "Exif", "jxlc"])
  }

  @Test(
    "An edit keeps a JPEG reconstruction or is refused, unless the user gives it up.",
    arguments: [
      ([2], true, true), ([3], true, false), ([0, 1, 2, 3], true, true), ([2], false, false), ([], true, false),
    ])
  func reconstruction(kinds: [Int], hasExif: Bool, isRefused: Bool) throws {
    let bytes = Bytes(
      Self.head + (hasExif ? Self.exif(PNGTests.located) : []) + Self.reconstruction(kinds) + Self.picture)
    var edit = try MetadataEdit.place()
    if isRefused {
      let error = #expect(throws: FileError.self) { try Self.edited(bytes, edit) }
      #expect(error?.code == .losesReconstruction && error?.remedy == .dropReconstruction)
    } else {
      #expect(try Self.types(Self.edited(bytes, edit)).contains("jbrd"))
    }
    edit.endsReconstruction = true
    #expect(try Self.types(Self.edited(bytes, edit)).contains("jbrd") == !isRefused)
  }

  /// Boxes, and whether the reconstructed JPEG would have metadata of its own.
  static let boxes: [([UInt8], Bool)] = [
    (reconstruction([0, 1, 2, 3]), false), (reconstruction([4]), true), (reconstruction([0, 5]), true),
    (reconstruction([], between: 5), true), (reconstruction([], between: 5, tail: 9), true),
    (reconstruction([0], tail: 256), true), (reconstruction([]), false), (Array(reconstruction([]).prefix(16)), true),
  ]

  @Test("Metadata in the reconstruction data is erased only together with the reconstruction.", arguments: boxes)
  func othersOfTheJPEG(box: [UInt8], isReported: Bool) throws {
    let whole = Box.bytes("jbrd", Array(box.dropFirst(8)))
    let bytes = Bytes(Self.head + whole + Self.picture)
    #expect(try Self.image(bytes).layout.unedited(holding: .date).isEmpty == !isReported)
    var dates = MetadataEdit()
    dates.erasesDates = true
    for var edit in [MetadataEdit.removal, dates] {
      if isReported {
        let error = #expect(throws: FileError.self) { try Self.edited(bytes, edit) }
        #expect(error?.code == .losesReconstruction && error?.remedy == .dropReconstruction)
      } else {
        #expect(try Self.image(bytes).patch(for: edit).isEmpty)
      }
      edit.endsReconstruction = true
      #expect(try Self.types(Self.edited(bytes, edit)).contains("jbrd") == !isReported)
    }
    #expect(try Self.types(Self.edited(bytes, try .place())).contains("jbrd"))
  }

  @Test("Only the beginning of reconstruction data is read, however long it is.")
  func longReconstruction() throws {
    let data = Array(Self.reconstruction([0, 1]).dropFirst(8)) + [UInt8](repeating: 0, count: 4 << 20)
    let source = CountingSource(Bytes(Self.head + Box.bytes("jbrd", data) + Self.picture))
    let image = try ImageSource(source, path: "made.jxl")
    #expect(image.layout.unedited(holding: .date).isEmpty)
    #expect(try !image.patch(for: try .place()).isEmpty)
    #expect(source.read < 3 << 20)
  }

  @Test("Real files report which metadata of their JPEG they need.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func needs() throws {
    let known = [
      "1x1_exif_xmp": [true, true], "input": [true, false], "input__2": [false, false], "input__5": [false, false],
    ]
    for (name, needs) in known {
      let source = try FileSource(Corpus.shared.appending(path: "corpus/jxl/\(name).jxl").filePath)
      let box = try #require(JXLFile(source).reconstruction)
      let read = try JXLReconstruction(source.bytes(box.payload))
      #expect([read.needsExif, read.needsXMP] == needs, "\(name)")
    }
  }

  @Test("A box that unpacks to more than metadata needs is not unpacked.")
  func bomb() throws {
    // Pieces of 64 KB would have to be compressed. Damage is reported the same way.
    let bytes = Bytes(Self.head + Box.bytes("brob", FourCC("Exif").bytes + [0xFF, 0xFF, 0xFF]) + Self.picture)
    #expect(try Self.image(bytes).metadata().notes.contains { $0.sentence.contains("brob") })
    let error = #expect(throws: FileError.self) { try Self.edited(bytes, .removal) }
    #expect(error?.kind == .refused)
  }
}
