@testable import ImageFormats
import Testing

@testable import MetaTag

@Suite("JPEG")
struct JPEGTests {
  static func edit(_ latitude: Double = 35.6895, _ longitude: Double = 139.6917) throws -> MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(latitude, longitude), altitude: 40))
    return edit
  }

  private func tail(_ photo: Bytes) throws -> [UInt8] {
    let scan = try JPEGSegments(of: photo).scan
    return try photo.bytes(scan..<photo.count).array
  }

  static let samples: [(String, [UInt8])] = [
    ("no EXIF", []), ("JFIF", Sample.jfif), ("EXIF, II", Sample.exif(Sample.tiff(exif: Sample.cameraDates))),
    ("EXIF, MM", Sample.exif(Sample.tiff(.big, ifd0: [0x010F: .ascii("Maker")]))),
    ("JFIF, EXIF", Sample.jfif + Sample.exif(Sample.tiff(exif: Sample.cameraDates))),
    ("fill bytes", [0xFF, 0xFF] + Sample.jfif + [0xFF] + Sample.exif(Sample.tiff(exif: Sample.cameraDates))),
    ("odd length", Sample.exif(Sample.tiff(exif: Sample.cameraDates) + [7])),
  ]

  @Test("The first edit grows the file by whole pages, and the next needs no more room.", arguments: samples)
  func growth(name: String, segments: [UInt8]) throws {
    let photo = Sample.jpeg(segments, trailer: Array("trailer".utf8))
    let first = try Editing.edited(photo, try Self.edit())
    #expect(first.count == photo.count + 4_096)
    #expect(try tail(first) == tail(photo))
    if name.contains("JFIF") { #expect(first.has([0xFF, 0xD8, 0xFF, 0xE0])) }
    let second = try Editing.edited(first, try Self.edit(-33.8568, 151.2153))
    #expect(second.count == first.count)
    #expect(try Editing.metadata(of: second).location?.coordinate.latitude.rounded() == -34)
    var dates = MetadataEdit()
    dates.dates = .set(CaptureTime(try #require(CivilTime(year: 2023, month: 1, day: 2)), offset: .utc))
    let third = try Editing.edited(second, dates)
    #expect(third.count == first.count)
    #expect(try Editing.metadata(of: third).captureTime.map { "\($0)" } == "2023-01-02T00:00:00+00:00")
    #expect(try Editing.patch(dates, of: third).isEmpty)
  }

  @Test("New EXIF records sRGB only if the picture doesn't have four inks.", arguments: [false, true])
  func colours(hasFourInks: Bool) throws {
    let photo = Sample.jpeg(Sample.jfif, hasFourInks: hasFourInks)
    let new = try Editing.edited(photo, .dates(.set(try CaptureTime(parsing: "2019-03-04T05:06:07"))))
    let block = try TIFFBlock(new, try #require(try JPEGContainer().layout(of: new).exif))
    #expect(block.integer(of: TIFFTag.colorSpace, in: .exif) == (hasFourInks ? 0xFFFF : 1))
  }

  @Test("Zeros that a camera left are used before the file grows.")
  func slack() throws {
    let tiff = Sample.tiff(exif: Sample.cameraDates) + [UInt8](repeating: 0, count: 20_000)
    let photo = Sample.jpeg(Sample.exif(tiff))
    #expect(try Editing.edited(photo, try Self.edit()).count == photo.count)
  }

  @Test("A segment near 64 KB grows only by what is needed, and a full one is refused.")
  func limits() throws {
    for (filling, growth) in [(63_000, 2_340), (65_500, nil)] as [(Int, Int?)] {
      let note = [UInt8](repeating: 7, count: filling - 120)
      let photo = Sample.jpeg(Sample.exif(Sample.tiff(exif: [0x927C: .undefined(note)])))
      if growth == nil {
        let error = #expect(throws: FileError.self) { try Editing.edited(photo, try Self.edit()) }
        #expect(error?.kind == .tooLarge)
      } else {
        let edited = try Editing.edited(photo, try Self.edit())
        #expect(edited.count - photo.count < 400 && edited.count > photo.count)
      }
    }
  }

  @Test("A removed location leaves no bytes in any Exif segment.", arguments: [Bytes.Order.little, .big])
  func removal(order: Bytes.Order) throws {
    let latitude = [Rational(47, 1), Rational(36, 1), Rational(223_200, 10_000)]
    let longitude = [Rational(122, 1), Rational(19, 1), Rational(555_600, 10_000)]
    let gps = Sample.place(latitude, "N", longitude, "W")
    let exif = Sample.exif(Sample.tiff(order, ifd0: [0x010F: .ascii("A maker")], exif: Sample.cameraDates, gps: gps))
    let dead = TIFFValue.rational(latitude).encoded(order).bytes
    let photo = Sample.jpeg(exif + Sample.exif(Sample.tiff(order, gps: gps) + dead + [1, 1]))
    var removal = MetadataEdit()
    removal.location = .remove
    // Once with the original directories, once after an edit has moved them.
    for before in [photo, try Editing.edited(photo, try Self.edit(47.6062, -122.3321))] {
      let cleared = try Editing.edited(before, removal)
      #expect(cleared.count == before.count)
      #expect(try Editing.metadata(of: cleared).location == nil)
      for value in [latitude, longitude] {
        #expect(cleared.firstIndex(of: TIFFValue.rational(value).encoded(order).bytes) == nil)
      }
      #expect(try Editing.metadata(of: cleared).make == "A maker")
      #expect(try Editing.patch(removal, of: cleared).isEmpty)
    }
  }

  @Test("A replaced location leaves nothing of the old one.")
  func replacement() throws {
    let old = [Rational(47, 1), Rational(36, 1), Rational(223_200, 10_000)]
    let gps = Sample.place(old, "N", old, "W")
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(gps: gps)))
    let edited = try Editing.edited(photo, try Self.edit())
    #expect(edited.firstIndex(of: TIFFValue.rational(old).encoded(.little).bytes) == nil)
  }

  @Test("Multi-picture offsets follow inserted bytes, and wrong ones stay.")
  func multiPicture() throws {
    func mpf(_ size: Int, _ offset: Int) -> [UInt8] {
      let entries =
        UInt32(0x0003_0000).bytes(.big) + UInt32(size).bytes(.big) + UInt32(0).bytes(.big) + [0, 0, 0, 0]
        + UInt32(0).bytes(.big) + UInt32(7).bytes(.big) + UInt32(offset).bytes(.big) + [0, 0, 0, 0]
      return Sample.segment(
        0xE2, Array("MPF\0".utf8) + Sample.tiff(.big, ifd0: [0xB001: .long([2]), 0xB002: .undefined(entries)]))
    }
    let exif = Sample.exif(Sample.tiff(exif: Sample.cameraDates))
    for order in [true, false] {
      func photo(_ size: Int, _ offset: Int) -> Bytes {
        Sample.jpeg(order ? exif + mpf(size, offset) : mpf(size, offset) + exif, trailer: [0xFF, 0xD8, 0xFF, 9])
      }
      let count = photo(0, 0).count - 4
      let header = try #require(photo(0, 0).firstIndex(of: Array("MPF\0".utf8))) + 4
      let edited = try Editing.edited(photo(count, count - header), try Self.edit())
      let newHeader = try #require(edited.firstIndex(of: Array("MPF\0".utf8))) + 4
      let entries = try #require(TIFFBlock(edited, newHeader..<edited.count).ifd0[0xB002]?.value)
      let table = try edited.bytes(newHeader + entries.lowerBound..<newHeader + entries.upperBound)
      #expect(Int(try table.u32(4, .big)) == count + 4_096)
      #expect(edited.has([0xFF, 0xD8, 0xFF, 9], at: newHeader + Int(try table.u32(24, .big))))
    }
  }

  @Test(
    "A Minolta preview after the image is found after the header has grown.", arguments: [Bytes.Order.little, .big])
  func preview(order: Bytes.Order) throws {
    func photo(_ start: UInt32) -> Bytes {
      let note =
        UInt16(1).bytes(order) + UInt16(0x0088).bytes(order) + UInt16(4).bytes(order) + UInt32(1).bytes(order)
        + start.bytes(order) + [0, 0, 0, 0]
      let tiff = Sample.tiff(order, exif: [0x9003: .ascii("2024:05:23 18:38:41"), 0x927C: .undefined(note)])
      return Sample.jpeg(Sample.exif(tiff), trailer: [0x02, 0xD8, 0xFF, 0xDB, 9])
    }
    let count = photo(0).count
    let edited = try Editing.edited(photo(UInt32(count - 5 - 12)), try Self.edit())
    let block = try TIFFBlock(edited, try #require(JPEGContainer().layout(of: edited).exif))
    let note = try #require(block.exif?[0x927C]?.value)
    let start = Int(try block.bytes(note).u32(10, order)) + block.range.lowerBound
    #expect(edited.has([0x02, 0xD8, 0xFF, 0xDB, 9], at: start))
  }

  @Test("An AFCP trailer, whose offsets are absolute, allows only edits that need no room.")
  func afcp() throws {
    let photo = Sample.jpeg(
      Sample.exif(Sample.tiff(exif: Sample.cameraDates)), trailer: Array("AXS!".utf8) + [0, 0, 0, 9, 0, 0, 0, 0])
    let error = #expect(throws: FileError.self) { try Editing.edited(photo, try Self.edit()) }
    #expect(error?.kind == .refused)
    var shift = MetadataEdit()
    shift.dates = .adjust(TimeShift(seconds: 60), offset: .keep)
    #expect(try Editing.edited(photo, shift).count == photo.count)
  }

  @Test("A new XMP packet is inserted in its proper position, and one of equal length moves nothing.")
  func xmp() throws {
    let photo = Sample.jpeg(Sample.jfif + Sample.exif(Sample.tiff(exif: Sample.cameraDates)))
    var packet = Array("<x:xmpmeta/>".utf8)
    var current = photo
    for growth in [33 + packet.count, 0, 5] {
      if growth == 0 { packet[0] = 0x20 }
      if growth == 5 { packet += Array("     ".utf8) }
      var changes = BlockChanges()
      changes.xmp = packet
      let layout = try JPEGContainer().layout(of: current)
      let new = Bytes(try JPEGContainer().patch(changes, layout: layout, source: current).applied(to: current))
      #expect(new.count == current.count + growth)
      let range = try #require(JPEGContainer().layout(of: new).xmp)
      #expect(try new.bytes(range).array == packet)
      current = new
    }
  }

  @Test("Two dates that share a value are separated, so that only one changes.")
  func sharedSlot() throws {
    var tiff = Sample.tiff(exif: [0x9003: .ascii("2024:05:23 18:38:41"), 0x9290: .ascii("12")])
    // A second tag replaces SubSecTime and points to the same text.
    let bytes = Bytes(tiff)
    let entry = try #require(try TIFFBlock(bytes, 0..<tiff.count).exif?.entries)
    let field = try bytes.bytes(entry[0].position + 2..<entry[0].position + 12).array
    tiff.replaceSubrange(entry[1].position..<entry[1].position + 12, with: UInt16(0x9005).bytes(.little) + field)
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: 1), offset: .keep)
    let edited = try Editing.edited(Sample.jpeg(Sample.exif(tiff)), edit)
    let block = try TIFFBlock(edited, try #require(JPEGContainer().layout(of: edited).exif))
    #expect(block.text(of: 0x9003, in: .exif) == "2024:05:23 18:38:42")
    #expect(block.text(of: 0x9005, in: .exif) == "2024:05:23 18:38:41")
  }

  @Test("A GPS pointer of the wrong type is corrected.")
  func wrongPointer() throws {
    var tiff = Sample.tiff(gps: [0: .bytes([2, 2, 0, 0])])
    tiff.replaceSubrange(12..<14, with: UInt16(3).bytes(.little))
    let edited = try Editing.edited(Sample.jpeg(Sample.exif(tiff)), try Self.edit())
    let block = try TIFFBlock(edited, try #require(JPEGContainer().layout(of: edited).exif))
    #expect(block.ifd0[0x8825]?.type == 4 && block.ifd0[0x8825]?.count == 1)
  }

  @Test(
    "A pointer of a wrong type or number is corrected, also if its directory stays in place.",
    arguments: [0, 2, 3, 4] as [UInt16], [0, 1, 2, 255, 65_536] as [UInt32])
  func wrongNumber(type: UInt16, count: UInt32) throws {
    let place = [Rational(47, 1), Rational(36, 1), Rational(0, 1)]
    var tiff = Sample.tiff(exif: Sample.cameraDates, gps: Sample.place(place, "N", place, "W"))
    for entry in [0, 1] {
      let position = 10 + 12 * entry
      tiff.replaceSubrange(
        position + 2..<position + 8, with: type.bytes(.little) + count.bytes(.little))
    }
    var edit = try Self.edit()
    edit.dates = .adjust(TimeShift(seconds: 1), offset: .keep)
    let edited = try Editing.edited(Sample.jpeg(Sample.exif(tiff)), edit)
    let block = try TIFFBlock(edited, try #require(JPEGContainer().layout(of: edited).exif))
    for tag: UInt16 in [0x8769, 0x8825] {
      #expect(block.ifd0[tag]?.type == 4 && block.ifd0[tag]?.count == 1, "0x\(String(tag, radix: 16))")
    }
  }

  @Test("EXIF cut short or garbled at any byte never traps.", arguments: [Bytes.Order.little, .big])
  func garbled(order: Bytes.Order) throws {
    let place = [Rational(47, 1), Rational(36, 1), Rational(0, 1)]
    let tiff = Sample.tiff(
      order, ifd0: [0x010F: .ascii("A maker")], exif: Sample.cameraDates, gps: Sample.place(place, "N", place, "W"))
    for at in tiff.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var garbled = tiff
        garbled[at] = value
        for photo in [Sample.jpeg(Sample.exif(garbled)), Sample.jpeg(Sample.exif(Array(tiff[..<at])))] {
          guard (try? Editing.metadata(of: photo)) != nil, let edited = try? Editing.edited(photo, try Self.edit())
          else { continue }
          #expect(try Editing.metadata(of: edited).location != nil)
        }
      }
    }
  }
}
