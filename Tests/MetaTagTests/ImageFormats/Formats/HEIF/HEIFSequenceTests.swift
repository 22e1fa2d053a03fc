@testable import ImageFormats
import Testing

@testable import MetaTag

@Suite("Image sequences with metadata in their tracks")
struct HEIFSequenceTests {
  /// A sequence as libavif writes it, whose track table points to the bytes of the file's items.
  struct Sequence {
    var sample = HEIFSample()
    /// EXIF that only the track has.
    var own: [UInt8] = []
    var tableVersion: UInt8 = 0

    private static func full(_ type: FourCC, _ version: UInt8, _ payload: [UInt8]) -> [UInt8] {
      Box.bytes(type, [version, 0, 0, 0] + payload)
    }

    /// Returns a movie with the items as a track.
    /// - Parameter places: The ranges of the items from the second on, which are 1, 2, … in the track.
    private func movie(_ items: [HEIFMeta.Item], _ places: [Range<Int>]) -> [UInt8] {
      let entries = items.enumerated().flatMap { index, item -> [UInt8] in
        let content: [UInt8] = item.contentType.isEmpty ? [] : Array((item.contentType + "\0").utf8)
        return Self.full("infe", 2, [0, UInt8(index + 1), 0, 0] + item.type.bytes + [0] + content)
      }
      let rows = places.enumerated().flatMap { index, place -> [UInt8] in
        [0, UInt8(index + 1), 0, 0, 0, 1] + UInt32(place.lowerBound).bytes(.big) + UInt32(place.count).bytes(.big)
      }
      let count = UInt16(items.count).bytes(.big)
      let handler = Self.full("hdlr", 0, [0, 0, 0, 0] + FourCC("pict").bytes + [UInt8](repeating: 0, count: 13))
      let meta = Self.full(
        "meta", 0,
        handler + Self.full("iloc", tableVersion, [0x44, 0] + count + rows)
          + Self.full("iinf", 0, count + entries))
      let header = Self.full("mvhd", 0, UInt32(3_000_000_000).bytes(.big) + [UInt8](repeating: 0, count: 92))
      return Box.bytes("moov", header + Box.bytes("trak", meta))
    }

    func bytes() throws -> Bytes {
      var sample = sample
      let plain = try #require(try HEIFFile(sample.bytes).meta)
      let items = plain.items.filter { $0.type == "Exif" || $0.type == "mime" }
      sample.behindMeta = movie(items, items.map { _ in 0..<0 })
      let file = try HEIFFile(sample.bytes)
      let rows = try #require(file.meta?.locations.rows)
      var places = items.compactMap { item in rows.first { $0.id == item.id }.flatMap { file.ranges(of: $0)?.first } }
      if !own.isEmpty {
        let start = sample.bytes.count + 8
        places[0] = start..<start + own.count
        sample.tail = Box.bytes("mdat", own)
      }
      sample.behindMeta = movie(items, places)
      return sample.bytes
    }
  }

  /// Returns what a reader that uses only the track finds, by the type of item.
  static func recorded(_ source: Bytes) throws -> [FourCC: [UInt8]] {
    let file = try HEIFFile(source)
    let track = try #require(file.trackMetas.first)
    #expect(file.trackMetas.count == 1 && file.trackDamage == nil)
    var recorded: [FourCC: [UInt8]] = [:]
    for item in track.items {
      let row = try #require(track.locations.rows.first { $0.id == item.id })
      recorded[item.type] = try source.bytes(try #require(file.ranges(of: row, in: track)?.first)).array
    }
    return recorded
  }

  static func toldOfPicture(_ source: Bytes) throws -> [FourCC: [UInt8]] {
    let file = try HEIFFile(source)
    let picture = try HEIFPicture(try #require(file.meta), in: file)
    return try (picture.exif + picture.xmp).reduce(into: [:]) { $0[$1.item.type] = try source.bytes($1.range).array }
  }

  static let cases: [(exif: Bool, xmp: Bool)] = [(true, true), (true, false), (false, true)]

  @Test("A track's table follows EXIF and XMP to their new positions.", arguments: cases)
  func following(exif: Bool, xmp: Bool) throws {
    let sample = HEIFTests.sample {
      $0.exif = exif ? [HEIFSample.apple(HEIFTests.plain)] : []
      $0.xmp = xmp ? HEIFTests.packet : nil
    }
    var old = try Sequence(sample: sample).bytes()
    let shift = MetadataEdit.dates(.adjust(TimeShift(seconds: 4_980), offset: .keep))
    var named = MetadataEdit()
    named.fields[.title] = .set(.text(String(repeating: "Long ", count: 900)))
    for edit in [try JPEGTests.edit(), shift] + (xmp ? [named] : []) {
      let new = try HEIFTests.edited(old, edit)
      var expected = try Self.toldOfPicture(new)
      // New EXIF has no row in the track.
      if !exif { expected["Exif"] = nil }
      #expect(try Self.recorded(new) == expected)
      #expect(try HEIFTests.picture(new) == HEIFSample.picture)
      old = new
    }
  }

  @Test("A track's times and table move with it when it makes way for a new item.")
  func makingWay() throws {
    let old = try Sequence(sample: HEIFTests.sample { $0.xmp = HEIFTests.packet }).bytes()
    let edit = MetadataEdit.dates(.adjust(TimeShift(seconds: 86_400), offset: .keep))
    var both = edit
    both.location = try MetadataEdit.place().location
    let new = try HEIFTests.edited(old, both)
    #expect(try Self.recorded(new) == ["mime": try #require(try Self.toldOfPicture(new)["mime"])])
    #expect(new.firstIndex(of: Array("mvhd".utf8) + [0, 0, 0, 0] + UInt32(3_000_086_400).bytes(.big)) != nil)
    let notes = try HEIFTests.image(old).changes(for: both).notes
    #expect(notes.contains { $0.code == .hiddenFromOthers })
  }

  @Test("EXIF that only a track has is read, and erased with the rest.")
  func ownBytes() throws {
    let sample = HEIFTests.sample { $0.exif = [HEIFSample.apple(HEIFTests.plain)] }
    let old = try Sequence(sample: sample, own: HEIFSample.apple(HEIFTests.tiff)).bytes()
    #expect(try HEIFTests.image(old).metadata().locations.count == 1)
    let new = try HEIFTests.edited(old, .removal)
    #expect(new.firstIndex(of: TIFFValue.rational(EXIF.sexagesimal(47.6062)).encoded(.little).bytes) == nil)
    #expect(try HEIFTests.image(new).metadata().locations.isEmpty)
    #expect(try HEIFTests.image(new).patch(for: .removal).isEmpty)
  }

  @Test("An unreadable track table refuses moving items and removing the location.")
  func unreadTable() throws {
    let sample = HEIFTests.sample { $0.exif = [HEIFSample.apple(HEIFTests.tiff)] }
    let old = try Sequence(sample: sample, tableVersion: 9).bytes()
    let shift = MetadataEdit.dates(.adjust(TimeShift(seconds: 4_980), offset: .keep))
    #expect(try HEIFTests.edited(old, shift).count == old.count)
    for edit in [.removal, try JPEGTests.edit()] {
      let error = #expect(throws: FileError.self) { try HEIFTests.edited(old, edit) }
      #expect(error?.description.contains("track") == true)
    }
  }

  /// Two Exif items of one picture, the second of which starts `distance` bytes after the first.
  private func twins(_ distance: Int) throws -> Bytes {
    let exif = HEIFSample.apple(HEIFTests.tiff)
    var bytes = HEIFTests.sample { $0.exif = [exif, exif] }.bytes.array
    let rows = try #require(try HEIFFile(Bytes(bytes)).meta?.locations.rows)
    let first = rows[1].extents[0].offset
    let second = rows[2].extents[0].offset
    bytes.replaceSubrange(second.range, with: UInt32(first.value + distance).bytes(.big))
    return Bytes(bytes)
  }

  @Test("Items that share the same bytes change together.")
  func sharedBytes() throws {
    let old = try twins(0)
    for edit in [.removal, try JPEGTests.edit()] as [MetadataEdit] {
      let new = try HEIFTests.edited(old, edit)
      let file = try HEIFFile(new)
      let rows = try #require(file.meta?.locations.rows)
      #expect(file.ranges(of: rows[1]) == file.ranges(of: rows[2]))
      #expect(try HEIFTests.image(new).metadata().locations.isEmpty == (edit == .removal))
      #expect(try HEIFTests.image(new).patch(for: edit).isEmpty)
    }
  }

  @Test("Items that overlap in part are refused.")
  func tangled() throws {
    let error = #expect(throws: FileError.self) { try HEIFTests.edited(try twins(12), .removal) }
    #expect(error?.kind == .unsupported && error?.description.contains("items overlap") == true)
  }
}
