@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

@Suite("WebP")
struct WebPTests {
  /// A lossy picture of 32 × 24, as far as its header goes. It has 21 bytes, so that padding follows.
  static let lossy: [UInt8] = [0x10, 0, 0, 0x9D, 1, 0x2A, 32, 0, 24, 0] + Array(1...11)
  /// A lossless picture, with or without alpha.
  static func lossless(alpha: Bool) -> [UInt8] {
    [0x2F] + (UInt32(31) | 23 << 14 | (alpha ? 1 << 28 : 0)).bytes(.little) + Array(1...7)
  }

  static func file(_ chunks: [(FourCC, [UInt8])], trailer: [UInt8] = []) -> Bytes {
    let body = Array("WEBP".utf8) + chunks.flatMap { (try? RIFFChunk.bytes($0.0, $0.1)) ?? [] }
    return Bytes(Array("RIFF".utf8) + UInt32(body.count).bytes(.little) + body + trailer)
  }

  private static func head(_ flags: UInt8) -> (FourCC, [UInt8]) { ("VP8X", [flags, 0, 0, 0, 31, 0, 0, 23, 0, 0]) }

  static let samples: [(String, Bytes)] = [
    ("lossy", file([("VP8 ", lossy)])),
    ("lossless", file([("VP8L", lossless(alpha: false))], trailer: [1, 2, 3])),
    ("alpha", file([("VP8L", lossless(alpha: true))])),
    ("EXIF", file([head(0x08), ("VP8 ", lossy), ("EXIF", PNGTests.exif)])),
    ("EXIF as in JPEG", file([head(0x08), ("VP8 ", lossy), ("EXIF", Array("Exif\0\0".utf8) + PNGTests.located)])),
    ("XMP", file([head(0x14), ("ALPH", [1, 2, 3]), ("VP8 ", lossy), ("XMP ", PNGTests.title)])),
    (
      "all",
      file(
        [
          head(0x2E), ("ICCP", [1, 2]), ("ANIM", Array(1...6)), ("ANMF", Array(1...40)), ("ANMF", Array(1...31)),
          ("EXIF", PNGTests.located), ("XMP ", PNGTests.packet),
        ])
    ),
    ("wrong flags", file([head(0x04), ("VP8 ", lossy), ("EXIF", PNGTests.located)])),
  ]

  private static func image(_ bytes: Bytes) throws -> ImageSource { try ImageSource(bytes, path: "made.webp") }

  private static func edited(_ bytes: Bytes, _ edit: MetadataEdit) throws -> Bytes {
    Bytes(try image(bytes).patch(for: edit).applied(to: bytes))
  }

  @Test("Chunks are in the standard's order, and the flags and the length are right.", arguments: samples.indices)
  func structure(index: Int) throws {
    let (name, bytes) = Self.samples[index]
    let (old, new) = (try WebPFile(bytes), try WebPFile(Self.edited(bytes, try .place())))
    #expect(new.cut == nil && new.source.count - new.end == old.source.count - old.end, "\(name)")
    let types = new.chunks.map { $0.type.description }
    #expect(types.first == "VP8X" && types.filter { $0 == "EXIF" }.count == 1, "\(name)")
    #expect(types.filter { $0 == "EXIF" || $0 == "XMP " } == types.suffix(types.contains("XMP ") ? 2 : 1), "\(name)")
    let flags = try new.source.bytes(at: 20, count: 1).u8(0)
    #expect(flags & 0x0C == (types.contains("XMP ") ? 0x0C : 0x08), "\(name)")
    #expect(new.picture.size == old.picture.size && new.picture.hasAlpha == old.picture.hasAlpha, "\(name)")
    for chunk in new.chunks { #expect(chunk.range.lowerBound % 2 == 0, "\(name)") }
  }

  @Test("Flags other than those of metadata stay.")
  func otherFlags() throws {
    let new = try Self.edited(Self.samples[6].1, try .place())
    #expect(try new.u8(20) == 0x2E)
    let cleared = try Self.edited(new, .removal)
    #expect(try cleared.u8(20) == 0x2E)
  }

  @Test("A location in a frame's metadata is erased, and nothing in the frame moves.")
  func frames() throws {
    func file(_ metadata: [UInt8]) throws -> Bytes {
      let picture = try RIFFChunk.bytes("VP8 ", Self.lossy)
      let frame = [UInt8](repeating: 0, count: 16) + picture + metadata
      return Self.file([Self.head(0x02), ("ANIM", Array(1...6)), ("ANMF", frame)])
    }
    let exif = try file(try RIFFChunk.bytes("EXIF", PNGTests.located))
    let cleared = try Self.edited(exif, .removal)
    let degrees = try #require(PNGTests.place[2]).encoded(.big).bytes
    #expect(exif.firstIndex(of: degrees) != nil && cleared.firstIndex(of: degrees) == nil)
    #expect(cleared.count == exif.count && cleared.firstIndex(of: Array("Maker".utf8)) != nil)
    let xmp = try Self.edited(try file(try RIFFChunk.bytes("XMP ", PNGTests.packet)), .removal)
    #expect(xmp.firstIndex(of: Array("47,36".utf8)) == nil && xmp.firstIndex(of: Array("2024-05-23".utf8)) != nil)
    var dates = MetadataEdit()
    dates.erasesDates = true
    for (metadata, edit) in [([UInt8]("none".utf8), MetadataEdit.removal), (PNGTests.located, dates)] {
      let bytes = try file(try RIFFChunk.bytes("EXIF", metadata))
      let error = #expect(throws: FileError.self) { try Self.edited(bytes, edit) }
      #expect(error?.kind == .refused)
    }
  }

  @Test("A last chunk without its padding gets it.")
  func filling() throws {
    let whole = Self.samples[0].1.array
    let bytes = Bytes(whole.prefix(4) + UInt32(whole.count - 9).bytes(.little) + whole[8..<whole.count - 1])
    let new = try WebPFile(try Self.edited(bytes, try .place()))
    #expect(new.chunks.map { $0.type.description } == ["VP8X", "VP8 ", "EXIF"] && new.cut == nil)
    var edit = try MetadataEdit.place()
    var names = PlaceNames()
    names.city = "Oldtown"
    edit.names = .set(names)
    let both = try WebPFile(try Self.edited(bytes, edit))
    #expect(both.chunks.map { $0.type.description } == ["VP8X", "VP8 ", "EXIF", "XMP "] && both.cut == nil)
  }

  @Test("A file that is shorter than it says is refused.")
  func cut() throws {
    let bytes = Bytes(Self.samples[3].1.array.dropLast(5))
    #expect(try Self.image(bytes).metadata().notes.contains { $0.code == .truncatedFile })
    let error = #expect(throws: FileError.self) { try Self.edited(bytes, try .place()) }
    #expect(error?.kind == .truncated)
  }
}
