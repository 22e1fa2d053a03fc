@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

@Suite("Locations in maker notes")
struct MakerNotePlaceTests {
  /// A block with a Panasonic maker note that contains a city.
  private static func panasonic(_ city: String, gps: [UInt16: TIFFValue] = [:]) -> [UInt8] {
    let value = Array(city.utf8) + [UInt8](repeating: 0, count: 72 - city.utf8.count)
    func block(_ start: Int) -> [UInt8] {
      let entry = UInt16(0x6D).bytes(.little) + UInt16(7).bytes(.little) + UInt32(72).bytes(.little)
      let note =
        Array("Panasonic\0\0\0".utf8) + UInt16(1).bytes(.little) + entry + UInt32(start + 30).bytes(.little)
        + [0, 0, 0, 0] + value
      return Sample.tiff(exif: [0x9000: .undefined(Array("0230".utf8)), 0x927C: .undefined(note)], gps: gps)
    }
    // Offsets in the note count from the TIFF header, so the note's position must be known first.
    let marker = Array("Panasonic\0".utf8)
    return block(Bytes(block(0)).firstIndex(of: marker, from: 0) ?? 0)
  }

  /// FLIR's data in one segment, or in two, the first of which ends `second` bytes before the end of the data.
  private static func flir(isValid: Bool, length: UInt32 = 64, second: Int = 0) -> [UInt8] {
    let record = [0, 0x2B] + [UInt8](repeating: 0, count: 10) + UInt32(96).bytes(.big) + length.bytes(.big)
    let head =
      Array("FFF\0".utf8) + [UInt8](repeating: 0, count: 16) + UInt32(101).bytes(.big) + UInt32(64).bytes(.big)
      + UInt32(1).bytes(.big) + [UInt8](repeating: 0, count: 32)
    let position = UInt32(isValid ? 1 : 0).bytes(.little) + [UInt8](repeating: 7, count: 60)
    let data = head + record + [UInt8](repeating: 0, count: 12) + position
    let last: UInt8 = second > 0 ? 1 : 0
    let parts = last == 0 ? [data] : [data.dropLast(second), Array(data.suffix(second))]
    return parts.enumerated().flatMap { index, part in
      Sample.segment(0xE1, Array("FLIR\0".utf8) + [1, UInt8(index), last] + part)
    }
  }

  @Test(
    "A location in a maker's data is erased in place, also across a segment border.",
    arguments: [
      ("Panasonic's city", Sample.exif(panasonic("Zermatt")), true), ("no city", Sample.exif(panasonic("---")), false),
      ("the rest of a city", Sample.exif(panasonic("\0ermatt")), true), ("FLIR's position", flir(isValid: true), true),
      ("FLIR in two segments", flir(isValid: true, second: 62), true),
      ("FLIR's list in two segments", flir(isValid: true, second: 80), true),
      ("FLIR without a fix", flir(isValid: false), false),
    ])
  func erasing(name: String, segment: [UInt8], isThere: Bool) throws {
    let old = Sample.jpeg(segment)
    let patch = try ImageSource(old, path: "a.jpg").patch(for: .removingPlace)
    #expect(patch.isEmpty != isThere)
    let new = Bytes(try patch.applied(to: old))
    #expect(new.count == old.count && new.firstIndex(of: Array("ermatt".utf8)) == nil)
    #expect(!isThere || new.firstIndex(of: [7, 7]) == nil)
    #expect(try ImageSource(new, path: "a.jpg").patch(for: .removingPlace).isEmpty)
  }

  @Test("A photo whose hidden location can't be erased is refused.")
  func refusal() throws {
    let long = try ImageSource(Sample.jpeg(Self.flir(isValid: true, length: 65)), path: "a.jpg")
    #expect { try long.patch(for: .removingPlace) } throws: { ($0 as? FileError)?.kind == .refused }
  }

  @Test("A city in a maker note is erased in place in every file type, also in a raw file's preview.")
  func otherFiles() throws {
    let city = Array("Zermatt".utf8)
    for (old, name) in [
      (Bytes(Self.panasonic("Zermatt")), "a.tif"),
      (RawSample.rw2(preview: Sample.exif(Self.panasonic("Zermatt"))), "a.rw2"),
      (Sample.jpeg(trailer: Sample.jpeg(Sample.exif(Self.panasonic("Zermatt"))).array), "a.jpg"),
    ] {
      let place = try #require(old.firstIndex(of: city))
      let new = Bytes(try ImageSource(old, path: FilePath(name)).patch(for: .removingPlace).applied(to: old))
      #expect(new.firstIndex(of: city) == nil && new.count == old.count, "\(name)")
      let note = Array("Panasonic\0".utf8)
      #expect(old.firstIndex(of: note).map { place - $0 } == 30 && new.firstIndex(of: note) == old.firstIndex(of: note))
    }
  }

  @Test("Moving a photo erases the maker note's city with the place names, or reports that it stays.")
  func moved() throws {
    let gps = Sample.place([Rational(46, 1)], "N", [Rational(7, 1)], "E")
    let old = Sample.jpeg(Sample.exif(Self.panasonic("Zermatt", gps: gps)))
    let image = try ImageSource(old, path: "a.jpg")
    for (latitude, names, isThere, recorded) in [
      (47.0, true, false, "loses details of the old location: Panasonic's City"),
      (47.0, false, true, "keeps Panasonic's City"), (46.0001, true, true, ""),
    ] {
      var edit = try MetadataEdit.place(latitude, 7)
      if names { edit.names = .set(PlaceNames(city: "Bern", state: nil, country: nil, code: nil)) }
      let changes = try image.changes(for: edit)
      let new = Bytes(try image.patch(changes).applied(to: old))
      #expect((new.firstIndex(of: Array("Zermatt".utf8)) != nil) == isThere, "\(latitude) \(names)")
      let notes = changes.notes.filter { $0.sentence.contains("Panasonic") }
      #expect(recorded.isEmpty ? notes.isEmpty : notes.count == 1 && notes[0].sentence.hasPrefix(recorded), "\(notes)")
    }
  }

  @Test("Nikon's place name is erased in place, with nothing else of the note.")
  func nikon() throws {
    let place = Array("0100".utf8) + [1] + Array("CH\0\u{1}Zermatt".utf8) + [UInt8](repeating: 0, count: 8)
    let own = Sample.tiff(ifd0: [
      0x01: .undefined([0, 2, 1, 0]), 0x39: .undefined(place), 0x3B: .ascii("a lens or so"),
    ])
    let note = Array("Nikon\0\u{2}\u{10}\0\0".utf8) + own
    let old = Sample.jpeg(Sample.exif(Sample.tiff(exif: [0x927C: .undefined(note)])))
    let new = Bytes(try ImageSource(old, path: "a.jpg").patch(for: .removingPlace).applied(to: old))
    #expect(new.count == old.count && new.firstIndex(of: Array("Zermatt".utf8)) == nil)
    #expect(zip(old.array, new.array).count(where: !=) == 10)
    #expect(try ImageSource(new, path: "a.jpg").patch(for: .removingPlace).isEmpty)
  }

  @Test("Writing 0, 0 gives a note.")
  func noFix() throws {
    let image = try ImageSource(Sample.jpeg(), path: "a.jpg")
    #expect(try image.changes(for: try .place(0, 0)).notes.contains { $0.code == .noFixWritten })
    #expect(try image.changes(for: try .place(0, 1)).notes.isEmpty)
  }
}
