@testable import Decoding
@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("The second reader")
struct SecondReaderTests {
  @Test(
    "A thumbnail may lose its metadata when that is erased, but nothing of its picture.",
    arguments: [
      ([], true), ([8], true), ([4], false), ([12], false), ([17], false), ([18], false),
    ])
  func thumbnail(changed: [Int], isSame: Bool) {
    let old: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 1, 2, 3, 4, 0xFF, 0xDB, 0, 3, 9, 0xFF, 0xDA, 7, 8]
    var new = old
    for index in changed { new[index] = 0xAA }
    #expect(ThumbnailComparison.isSamePicture(old, new) == isSame)
    var erasing = TIFFChanges()
    erasing.removesGPS = true
    func comparison() -> SecondReader.Comparison {
      let readings = [old, new].map { EXIFReading(order: .big, entries: [Case.make, Case.entry(1, 0x201, 7, $0)]) }
      return SecondReader.comparison(before: readings[0], after: readings[1], changes: erasing)
    }
    let objection = SecondReader.Comparison.objection("tag 0x201 of directory 1 changed")
    #expect(comparison() == (changed.isEmpty ? .confirmed : objection))
    erasing.erasesPages = true
    #expect(comparison() == (isSame ? .confirmed : objection))
  }

  /// A change, with the entries that were really written.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var changes = TIFFChanges()
    var before: [EXIFEntry] = [make, gpsVersion, latitude]
    var after: [EXIFEntry]
    var expected = SecondReader.Comparison.confirmed

    static let make = entry(0, 0x010F, 2, Array("Maker\0".utf8))
    static let gpsVersion = entry(3, 0, 1, [2, 3, 0, 0])
    static let latitude = entry(3, 1, 2, Array("N\0".utf8))
    static let interop = entry(4, 1, 2, Array("R98\0".utf8))
    static let note = entry(2, 0x927C, 7, [1, 2, 3])

    static func entry(_ ifd: UInt16, _ tag: UInt16, _ format: UInt16, _ bytes: [UInt8]) -> EXIFEntry {
      EXIFEntry(ifd: ifd, tag: tag, format: format, components: UInt32(bytes.count), bytes: bytes)
    }
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing", after: [Case.make, Case.gpsVersion, Case.latitude]),
    Case(testDescription: "another order", after: [Case.latitude, Case.gpsVersion, Case.make]),
    Case(
      testDescription: "a wanted value", changes: setting(1, .gps, .ascii("S")),
      after: [Case.make, Case.gpsVersion, Case.entry(3, 1, 2, Array("S\0".utf8))]),
    Case(
      testDescription: "a wanted value that did not arrive", changes: setting(1, .gps, .ascii("S")),
      after: [Case.make, Case.gpsVersion, Case.latitude],
      expected: .objection("tag 0x1 of directory 3 does not hold the new value")),
    Case(
      testDescription: "a wanted value of another type", changes: setting(1, .gps, .undefined(Array("S\0".utf8))),
      after: [Case.make, Case.gpsVersion, Case.entry(3, 1, 2, Array("S\0".utf8))],
      expected: .objection("tag 0x1 of directory 3 does not hold the new value")),
    Case(
      testDescription: "a wanted value in a directory it can't see", changes: setting(0x9003, .exif, .ascii("x")),
      after: [Case.make, Case.gpsVersion, Case.latitude],
      expected: .blind("tag 0x9003 of directory 2 is missing")),
    Case(
      testDescription: "an unrequested value", changes: setting(1, .gps, .ascii("S")),
      after: [Case.entry(0, 0x010F, 2, Array("Other\0".utf8)), Case.gpsVersion, Case.latitude],
      expected: .objection("tag 0x10F of directory 0 changed")),
    Case(
      testDescription: "a lost maker note", before: [Case.make, Case.note], after: [Case.make],
      expected: .objection("tag 0x927C of directory 2 changed")),
    Case(
      testDescription: "a tag that appeared", after: [Case.make, Case.gpsVersion, Case.latitude, Case.interop],
      expected: .objection("tag 0x1 of directory 4 changed")),
    Case(
      testDescription: "the version a new GPS directory must have", changes: setting(1, .gps, .ascii("N")),
      before: [Case.make], after: [Case.make, Case.gpsVersion, Case.latitude]),
    Case(
      testDescription: "a removed tag", changes: removing(1, .gps), after: [Case.make, Case.gpsVersion]),
    Case(
      testDescription: "a tag that should be gone", changes: removing(1, .gps),
      after: [Case.make, Case.gpsVersion, Case.latitude],
      expected: .objection("tag 0x1 of directory 3 is still there")),
    Case(testDescription: "a removed directory", changes: removingGPS, after: [Case.make]),
    Case(
      testDescription: "a directory that should be gone", changes: removingGPS, after: [Case.make, Case.gpsVersion],
      expected: .objection("tag 0x0 of directory 3 is still there")),
    Case(
      testDescription: "an Interoperability pointer that leads to IFD0",
      before: [Case.make, Case.entry(4, 0x010F, 2, Array("Maker\0".utf8))], after: [Case.make]),
    Case(
      testDescription: "pointers", before: [Case.entry(0, 0x8769, 4, [1, 0, 0, 0])],
      after: [Case.entry(0, 0x8769, 4, [9, 0, 0, 0])]),
  ]

  @Test("The second reader confirms the requested changes and objects to all others.", arguments: cases)
  func comparison(of example: Case) {
    for order in [Bytes.Order.little, .big] {
      #expect(
        SecondReader.comparison(
          before: EXIFReading(order: order, entries: example.before),
          after: EXIFReading(order: order, entries: example.after), changes: example.changes) == example.expected)
    }
  }

  @Test("Finding no EXIF is confirmed only if all tags were to be removed.")
  func nothingLeft() {
    let before = EXIFReading(order: .big, entries: [Case.gpsVersion, Case.latitude])
    let comparison = { SecondReader.comparison(before: before, after: nil, changes: $0) }
    #expect(comparison(SecondReaderTests.removingGPS) == .confirmed)
    let blind = SecondReader.Comparison.blind("it can't read the new metadata")
    #expect(comparison(SecondReaderTests.removing(1, .gps)) == blind)
    #expect(comparison(SecondReaderTests.setting(1, .gps, .ascii("S"))) == blind)
  }

  @Test("Numbers are compared in the block's byte order.", arguments: [Bytes.Order.big, .little])
  func numbers(order: Bytes.Order) {
    var changes = TIFFChanges()
    changes.set(2, in: .gps, to: .rational([Rational(31, 1), Rational(13_824, 1_000)]))
    changes.set(0x0112, in: .ifd0, to: .short([6]))
    let bytes = [UInt32(31), 1, 13_824, 1_000].flatMap { $0.bytes(order) }
    let after = [
      EXIFEntry(ifd: 3, tag: 2, format: 5, components: 2, bytes: bytes),
      EXIFEntry(ifd: 0, tag: 0x0112, format: 3, components: 1, bytes: UInt16(6).bytes(order)),
    ]
    #expect(
      SecondReader.comparison(
        before: EXIFReading(order: order, entries: []), after: EXIFReading(order: order, entries: after),
        changes: changes) == .confirmed)
  }

  @Test("The second reader compares short blocks with libexif and long ones with exiv2.", arguments: [10, 100_000])
  func whole(padding: Int) throws {
    let scratch = try Scratch()
    let sample = TIFFSample(
      order: .big, ifd0: [.ascii(0x010F, "Maker"), .ascii(0x0132, "2024:05:23 18:38:41"), .undefined(0xC000, padding)])
    let old = try FileSource(try scratch.write(sample.bytes, as: "old.tif").filePath)
    let url = try scratch.write(sample.bytes, as: "new.tif")
    #expect(try Oracle.run("exiftool", ["-q", "-EXIF:ModifyDate=2024:05:23 20:01:41", url.path]).status == 0)
    let new = try FileSource(url.filePath)
    let reader = SecondReader(pool: .shared)
    let wanted = SecondReaderTests.setting(0x0132, .ifd0, .ascii("2024:05:23 20:01:41"))
    let (before, after) = (try old.block(0..<old.count), try new.block(0..<new.count))
    #expect(try reader.check(old: before, new: after, changes: wanted) == .confirmed)
    let error = #expect(throws: FileError.self) {
      try reader.check(old: before, new: after, changes: TIFFChanges())
    }
    #expect(error?.kind == .refused)
    #expect(error?.description.contains("tag 0x132 of directory 0 changed") == true)
  }

  @Test("An unreadable old block gives no verdict, and an unreadable new block is refused.")
  func unreadable() throws {
    let scratch = try Scratch()
    let noise = try FileSource(try scratch.write([UInt8](repeating: 7, count: 300), as: "noise").filePath)
    let sample = TIFFSample(order: .big, ifd0: [.ascii(0x010F, "Maker")])
    let tiff = try FileSource(try scratch.write(sample.bytes, as: "a.tif").filePath)
    let reader = SecondReader(pool: .shared)
    let (bad, good) = (try noise.block(0..<noise.count), try tiff.block(0..<tiff.count))
    #expect(try reader.check(old: bad, new: good, changes: TIFFChanges()) == .unreadable)
    #expect(throws: FileError.self) { try reader.check(old: good, new: bad, changes: TIFFChanges()) }
    #expect(throws: FileError.self) { try reader.check(old: nil, new: bad, changes: TIFFChanges()) }
    let wanted = SecondReaderTests.setting(0x010F, .ifd0, .ascii("Maker"))
    #expect(try reader.check(old: nil, new: good, changes: wanted) == .confirmed)
  }

  static func setting(_ tag: UInt16, _ ifd: IFD, _ value: TIFFValue) -> TIFFChanges {
    var changes = TIFFChanges()
    changes.set(tag, in: ifd, to: value)
    return changes
  }

  static func removing(_ tag: UInt16, _ ifd: IFD) -> TIFFChanges {
    var changes = TIFFChanges()
    changes.remove(tag, in: ifd)
    return changes
  }

  static var removingGPS: TIFFChanges {
    var changes = TIFFChanges()
    changes.removesGPS = true
    return changes
  }
}
