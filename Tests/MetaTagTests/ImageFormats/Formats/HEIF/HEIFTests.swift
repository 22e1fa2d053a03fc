@testable import SafeWriting
@testable import ImageFormats
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("HEIF")
struct HEIFTests {
  static let tiff = Sample.tiff(
    exif: Sample.cameraDates,
    gps: Sample.place(
      [Rational(47, 1), Rational(36, 1), Rational(223_200, 10_000)], "N",
      [Rational(122, 1), Rational(19, 1), Rational(555_600, 10_000)], "W"))
  static let plain = Sample.tiff(exif: Sample.cameraDates)

  static func image(_ source: any ByteSource) throws -> ImageSource { try ImageSource(source, path: "a.heic") }

  static func edited(_ source: Bytes, _ edit: MetadataEdit) throws -> Bytes {
    Bytes(try image(source).patch(for: edit).applied(to: source))
  }

  static func picture(_ source: any ByteSource) throws -> [UInt8] { try #require(found(source)) }

  /// The bytes of item 1, if they can be found.
  private static func found(_ source: any ByteSource) -> [UInt8]? {
    guard let file = try? HEIFFile(source), let row = file.meta?.locations.rows.first(where: { $0.id == 1 }),
      let range = file.ranges(of: row)?.first
    else { return nil }
    return try? source.bytes(range).array
  }

  static func sample(_ change: (inout HEIFSample) -> Void) -> HEIFSample {
    var sample = HEIFSample()
    change(&sample)
    return sample
  }

  /// XMP with a location and a date.
  static let packet = Array(
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
    xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="47,36.372N" exif:GPSLongitude="122,19.926W" \
    exif:DateTimeOriginal="2024-05-23T18:38:41+09:00"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
    """.utf8)
  static let free = Box.bytes("free", [UInt8](repeating: 0, count: 6_000))
  static let trailer = Box.bytes("sefd", Array("SEFH....SEFT".utf8))

  static let samples: [(String, HEIFSample)] = [
    ("Apple's header", sample { $0.exif = [HEIFSample.apple(plain)] }),
    ("libheif's", sample { $0.exif = [HEIFSample.libheif(plain)] }),
    ("Xiaomi's", sample { $0.exif = [HEIFSample.xiaomi(plain)] }),
    ("no header", sample { $0.exif = [plain] }),
    ("odd length", sample { $0.exif = [HEIFSample.apple(plain + [1])] }),
    ("places in bases", sample { ($0.exif, $0.widths, $0.isPlacedByBase) = ([plain], [0, 4, 4, 0], true) }),
    ("bases and offsets", sample { ($0.exif, $0.widths, $0.isPlacedByBase) = ([plain], [4, 4, 4, 0], true) }),
    ("version 1", sample { ($0.exif, $0.version, $0.widths) = ([plain], 1, [4, 4, 4, 4]) }),
    ("version 2, 8 bytes", sample { ($0.exif, $0.version, $0.widths) = ([plain], 2, [8, 8, 8, 8]) }),
    ("in idat", sample { ($0.exif, $0.version, $0.isInIdat) = ([HEIFSample.apple(plain)], 1, true) }),
    ("open mdat", sample { ($0.exif, $0.mediaHeader) = ([plain], 0) }),
    ("64-bit mdat", sample { ($0.exif, $0.mediaHeader) = ([plain], 16) }),
    ("free room", sample { ($0.exif, $0.behindMeta) = ([plain], free) }),
    ("Samsung's trailer", sample { ($0.exif, $0.isMediaFirst, $0.tail) = ([plain], true, trailer) }),
    ("no EXIF", sample { _ in }),
    ("no EXIF, wide", sample { ($0.version, $0.widths) = (1, [8, 8, 8, 8]) }),
    ("no EXIF, bases", sample { ($0.widths, $0.isPlacedByBase) = ([0, 4, 4, 0], true) }),
    ("no EXIF, free room", sample { $0.behindMeta = free }),
    ("no EXIF, free room within", sample { $0.extra = free }),
    ("no EXIF, meta last", sample { $0.isMediaFirst = true }),
    ("no EXIF, trailer", sample { ($0.isMediaFirst, $0.tail) = (true, trailer) }),
    ("no EXIF, open mdat", sample { $0.mediaHeader = 0 }),
    ("no EXIF, XMP", sample { $0.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8) }),
    ("no EXIF, tracks", sample { $0.behindMeta = Box.bytes("moov", [UInt8](repeating: 0, count: 400)) }),
  ]

  @Test("An edit uses free room, and trailers stay last.", arguments: samples)
  func room(name: String, sample: HEIFSample) throws {
    let old = sample.bytes
    let new = try Self.edited(old, try JPEGTests.edit())
    #expect(try Self.picture(new) == HEIFSample.picture)
    if !sample.tail.isEmpty { #expect(new.has(sample.tail, at: new.count - sample.tail.count)) }
    if name.hasPrefix("free room") || name == "no EXIF, free room within" { #expect(new.count <= old.count + 2_000) }
  }

  @Test(
    "A length that omits its own bytes, as Xiaomi writes it, is recognised by the next segment.", arguments: [8, 6])
  func xiaomi(counted: Int) throws {
    var item = HEIFSample.xiaomi(Self.plain)
    item.replaceSubrange(6..<8, with: UInt16(Self.plain.count + counted).bytes(.big))
    let new = try Self.edited(Self.sample { $0.exif = [item] }.bytes, try JPEGTests.edit())
    let range = try #require(try HEIFContainer().layout(of: new).exif)
    #expect(try new.bytes(range.upperBound..<range.upperBound + 11).array == [0xFF, 0xE2] + Array("a preview".utf8))
    #expect(Int(try new.u16(range.lowerBound - 8, .big)) == range.count + counted)
  }

  @Test("A change of the same length stays in the item's place.")
  func inPlace() throws {
    let old = Self.sample { $0.exif = [HEIFSample.apple(Self.tiff)] }.bytes
    var shift = MetadataEdit()
    shift.dates = .adjust(TimeShift(seconds: 4_980), offset: .keep)
    let patch = try Self.image(old).patch(for: shift)
    #expect(patch.newCount == old.count && patch.splices.allSatisfy { $0.growth == 0 })
  }

  @Test(
    "Each edit of a large file commits in one sector, and removal erases the location everywhere.",
    arguments: [(nil, []), (nil, free), (packet, [])] as [([UInt8]?, [UInt8])])
  func bigFile(xmp: [UInt8]?, behindMeta: [UInt8]) throws {
    var file = Self.sample {
      ($0.exif, $0.dead) = ([HEIFSample.apple(Self.tiff)], [UInt8](repeating: 0, count: 17 << 20))
      ($0.xmp, $0.behindMeta) = (xmp, behindMeta)
    }.bytes
    let shift = MetadataEdit.dates(.adjust(TimeShift(seconds: 4_980), offset: .keep))
    for edit in [try .place(35.6895, 139.6917), shift, try .place(-33.8568, 151.2153), .removal] as [MetadataEdit] {
      // One of two searches through the unused bytes is enough.
      if edit == .removal, !behindMeta.isEmpty { return }
      let patch = try Self.image(file).patch(for: edit)
      #expect(InPlaceEdit(patch) != nil)
      #expect(InPlaceEdit(try patch.inverse(of: file)) != nil)
      #expect(patch.splices.reduce(0) { $0 + $1.bytes.count } < 8_192)
      let new = Bytes(try patch.applied(to: file))
      try Expectation(edit: edit, before: Self.image(file).metadata()).check(try Self.image(new).metadata())
      file = new
    }
    let rest = Bytes(try file.bytes(0..<8_192).array + file.bytes(17 << 20..<file.count).array)
    for degrees in [47.6062, 35.6895, 33.8568] {
      #expect(rest.firstIndex(of: Array("47,36".utf8)) == nil)
      #expect(rest.firstIndex(of: TIFFValue.rational(EXIF.sexagesimal(degrees)).encoded(.little).bytes) == nil)
    }
  }

  @Test("Damaged tables are an error or an edit, never a trap or a changed picture.", arguments: [0, 8, 14, 21])
  func damage(index: Int) throws {
    let whole = Self.samples[index].1.bytes.array
    let end = min(whole.count, 900)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<600 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<end, using: &random)] = [0, 1, 4, 0x7F, 0xFF].randomElement(using: &random) ?? 0
      }
      do throws(FileError) {
        let old = Bytes(bytes)
        let image = try ImageSource(old, path: "a.heic")
        for edit in [try? JPEGTests.edit(), .removal].compactMap(\.self) {
          let new = Bytes(try image.patch(for: edit).applied(to: old))
          #expect(Self.found(old) == Self.found(new))
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test("A removed location leaves no bytes in items or in unused room.")
  func removal() throws {
    let latitude = TIFFValue.rational([Rational(47, 1), Rational(36, 1), Rational(223_200, 10_000)]).encoded(.little)
    let left = Box.bytes("free", HEIFSample.apple(Self.tiff))
    let samples = [
      Self.sample { ($0.exif, $0.behindMeta, $0.dead) = ([HEIFSample.apple(Self.tiff)], left, Self.tiff) },
      Self.sample { ($0.exif, $0.dead) = ([HEIFSample.libheif(Self.plain)], Self.tiff) },
      Self.sample { ($0.exif, $0.extra) = ([Self.tiff, Self.tiff], left) },
    ]
    for sample in samples {
      for old in [sample.bytes, try Self.edited(sample.bytes, try JPEGTests.edit())] {
        let new = try Self.edited(old, .removal)
        #expect(new.count == old.count)
        #expect(new.firstIndex(of: latitude.bytes) == nil)
        #expect(try Self.image(new).metadata().locations.isEmpty)
        #expect(try Self.picture(new) == HEIFSample.picture)
        #expect(try Self.image(new).patch(for: .removal).isEmpty)
      }
    }
  }

  @Test("Two Exif items of one picture change together.")
  func doubled() throws {
    let new = try Self.edited(
      Self.sample { $0.exif = [Self.plain, HEIFSample.apple(Self.tiff)] }.bytes, try JPEGTests.edit())
    let locations = try Self.image(new).metadata().locations
    #expect(locations.count == 2 && locations.allSatisfy { $0.value.altitude == 40 })
    #expect(try Self.picture(new) == HEIFSample.picture)
  }

  @Test("Erasing everything zeroes a motion photo's movie, a phone's trailer and the program's name.")
  func everything() throws {
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    let old = Self.sample {
      ($0.exif, $0.isMediaFirst, $0.program) = ([Self.plain], true, "SecretWriter")
      let manifest: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
      ]
      $0.tail =
        Box.bytes("mpvd", Array("....ftypmp42Secret".utf8)) + Box.bytes("sefd", Array("SecretSEFT".utf8))
        + Box.bytes("uuid", manifest + Array("Secret".utf8))
    }.bytes
    let image = try Self.image(old)
    #expect(try image.changes(for: edit).notes.map(\.code) == [.partsRemoved])
    let new = try Self.edited(old, edit)
    #expect(new.count == old.count && new.firstIndex(of: Array("Secret".utf8)) == nil)
    #expect(try HEIFFile(new).boxes.suffix(3).map(\.type) == ["free", "free", "free"])
    #expect(try Self.picture(new) == HEIFSample.picture)
    #expect(try Self.image(new).patch(for: edit).isEmpty)
    #expect(try image.patch(for: edit).inverse(of: old).applied(to: new) == old.array)
  }

  @Test("A motion photo's movie is found after the file has grown.")
  func motion() throws {
    func sample(_ start: Int) -> Bytes {
      let packet =
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        + "<rdf:Description xmlns:Item='http://ns.google.com/photos/1.0/container/item/' Item:Length=\"\(start)\"/>"
        + "</rdf:RDF></x:xmpmeta>"
      let movie = Box.bytes("mpvd", Array("ftypmp42 and so on".utf8))
      let trailer =
        Array("MotionPhoto_Datampv2".utf8) + UInt32(start + 8).bytes(.big) + [0, 0, 0, 18] + Array("SEFT".utf8)
      return Self.sample {
        ($0.exif, $0.isMediaFirst, $0.xmp) = ([Self.plain], true, Array(packet.utf8))
        $0.tail = movie + Box.bytes("sefd", trailer)
      }.bytes
    }
    let start = try #require(sample(1_000).firstIndex(of: Array("mpvd".utf8))) - 4
    #expect((1_000..<8_000).contains(start))
    let old = sample(start)
    let new = try Self.edited(old, try JPEGTests.edit())
    let moved = try #require(new.firstIndex(of: Array("mpvd".utf8))) - 4
    #expect(moved > start)
    let pointer = try #require(new.firstIndex(of: Array("Datampv2".utf8))) + 8
    #expect(Int(try new.u32(pointer, .big)) == moved + 8)
    #expect(new.firstIndex(of: Array("Item:Length=\"\(moved)\"".utf8)) != nil)
    #expect(new.has(Array("SEFT".utf8), at: new.count - 4))
  }

  @Test(
    "The picture's properties define its orientation, not EXIF.",
    arguments: [
      ([], 1), ([("irot", 0)], 1), ([("irot", 1)], 8), ([("irot", 2)], 3), ([("irot", 3)], 6), ([("imir", 0)], 4),
      ([("imir", 1)], 2), ([("imir", 1), ("irot", 1)], 5), ([("imir", 1), ("irot", 3)], 7),
      ([("irot", 1), ("imir", 1)], 7),
    ] as [([(String, UInt8)], Int)])
  func orientation(properties: [(String, UInt8)], expected: Int) throws {
    let sample = Self.sample {
      $0.exif = [Sample.tiff(ifd0: [0x0112: .short([3])])]
      $0.properties = properties.map { Box.bytes($0.0 == "irot" ? "irot" : "imir", [$0.1]) }
    }
    #expect(try Self.image(sample.bytes).metadata().orientation == expected)
    let new = try Self.edited(sample.bytes, try JPEGTests.edit())
    let block = try TIFFBlock(new, try #require(HEIFContainer().layout(of: new).exif))
    #expect(block.integer(of: 0x0112, in: .ifd0) == 3)
  }

  @Test("A file that can't hold EXIF is refused with the reason.", arguments: [("mini", "mini"), ("moov", "sequence")])
  func refusals(box: String, reason: String) throws {
    let file = Bytes(HEIFSample.fileType + Box.bytes(box == "mini" ? "mini" : "moov", [1, 2, 3, 4]))
    let image = try Self.image(file)
    #expect(image.metadata().notes.count == 1)
    let error = #expect(throws: FileError.self) { try image.patch(for: try JPEGTests.edit()) }
    #expect(error?.kind == .unsupported && error?.description.contains(reason) ?? false)
  }

  @Test("An item that shares bytes with the picture is not overwritten.")
  func shared() throws {
    var bytes = Self.sample { $0.exif = [HEIFSample.apple(Self.tiff)] }.bytes.array
    let file = try HEIFFile(Bytes(bytes))
    let rows = try #require(file.meta?.locations.rows)
    let (first, second) = (rows[0].extents[0].length, rows[1].extents[0].offset)
    bytes.replaceSubrange(first.range, with: UInt32(first.value + 40).bytes(.big))
    #expect(second.value > 0)
    #expect(throws: FileError.self) { try Self.edited(Bytes(bytes), try JPEGTests.edit()) }
  }

  @Test(
    "The type is defined by the brands.",
    arguments: [
      ("heic", "mif1", .heic), ("mif1", "heic", .heic), ("mif1", "avif", .avif), ("avis", "msf1", .avif),
      ("mif1", "miaf", .heif), ("mif3", "heic", .heic), ("qt  ", "qt  ", nil), ("isom", "mp42", nil),
      ("crx ", "isom", nil),
    ] as [(String, String, ImageType?)])
  func types(major: String, compatible: String, expected: ImageType?) {
    let head = Box.bytes("ftyp", Array(major.utf8) + [0, 0, 0, 0] + Array(compatible.utf8))
    #expect(HEIFContainer().type(of: Bytes(head)) == expected)
  }
}
