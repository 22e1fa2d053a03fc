@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "Real HEIF and AVIF files",
  .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or exiftool is missing"))
struct HEIFRealFileTests {
  static let folders = ["heic", "avif"]
  /// Sequences without pictures, and HEIF's short form, which can't hold EXIF.
  static let placeless: Set = ["C026.heic", "C027.heic", "C028.heic", "lightning_mini.heif"]

  static func edit() throws -> MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(47.6062, -122.3321), altitude: 56))
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 20_700)))
    return edit
  }

  @Test("exiftool reads the new location, date and offset, and everything else unchanged.", arguments: folders)
  func editing(folder: String) throws {
    let scratch = try Scratch()
    var names: [String] = []
    for file in Corpus.files("corpus/" + folder) {
      let name = file.lastPathComponent
      let source = try FileSource(file.filePath)
      do {
        let image = try ImageSource(source, path: file.filePath)
        let patch = try image.patch(for: try Self.edit())
        let new = Bytes(try patch.applied(to: source))
        try expectSamePayloads(source, new, name)
        let again = try ImageSource(new, path: file.filePath)
        #expect(try again.patch(for: try Self.edit()).isEmpty, "\(name): twice")
        #expect(again.metadata().orientation == image.metadata().orientation, "\(name)")
        var shift = MetadataEdit()
        shift.dates = .adjust(TimeShift(seconds: 4_980), offset: .keep)
        shift.location = .set(Location(try .at(-33.8568, 151.2153), altitude: 5))
        #expect(try again.patch(for: shift).newCount == new.count, "\(name): second edit in place")
        try scratch.write(new.array, as: name)
        names.append(name)
      } catch let error as FileError {
        #expect(Self.placeless.contains(name) && error.kind == .unsupported, "\(name): \(error)")
      }
    }
    let before = try ExifToolTags.read(in: [Corpus.shared.appending(path: "corpus/" + folder)])
    let after = try ExifToolTags.read(in: [scratch.url])
    for name in names {
      let (old, new) = (before[name] ?? [:], after[name] ?? [:])
      #expect(new["GPS:GPSLatitude"] == "47.6062" && new["GPS:GPSLongitude"] == "122.3321", "\(name)")
      #expect(new["ExifIFD:DateTimeOriginal"] == "2023:01:02 03:04:05", "\(name)")
      #expect(new["ExifIFD:OffsetTimeOriginal"] == "+05:45", "\(name)")
      for key in Set(old.keys).union(new.keys).sorted() where !ExifToolTags.isEdited(key) {
        // Samsung's copy of the date follows.
        let isCopy = key == "Samsung:TimeStamp" && new[key]?.hasPrefix("2023:01:01 21:19:05") == true
        #expect(old[key] == new[key] || isCopy, "\(name): \(key)")
      }
    }
  }

  @Test("A removed location is gone, and nothing else.", arguments: folders)
  func removal(folder: String) throws {
    var removal = MetadataEdit()
    removal.location = .remove
    for file in Corpus.files("corpus/" + folder) where !Self.placeless.contains(file.lastPathComponent) {
      let name = file.lastPathComponent
      let source = try FileSource(file.filePath)
      let new = try HEIFTests.edited(try source.bytes(0..<source.count), removal)
      #expect(new.count == source.count, "\(name)")
      #expect(try HEIFTests.image(new).metadata().locations.isEmpty, "\(name)")
      try expectSamePayloads(source, new, name)
    }
  }

  @Test(
    "A decoder returns the same pixels.", .enabled(if: Oracle.has("heif-convert"), "heif-convert is missing"),
    arguments: decoded)
  func pixels(name: String) throws {
    let file = Corpus.shared.appending(path: "corpus/" + name)
    let scratch = try Scratch()
    let old = try FileSource(file.filePath)
    let new = try scratch.write(
      try ImageSource(file.filePath).patch(for: try Self.edit()).applied(to: old), as: "new." + file.pathExtension)
    var decoded: [Data] = []
    for (input, output) in [(file, "old.jpg"), (new, "new.jpg")] {
      let image = scratch.url.appending(path: output)
      let answer = try Oracle.run("heif-convert", [input.path, image.path])
      #expect(answer.status == 0, "\(name): \(answer.errors)")
      let found =
        FileManager.default.fileExists(atPath: image.path)
        ? image : scratch.url.appending(path: output.replacing(".jpg", with: "-1.jpg"))
      decoded.append(try Oracle.run("exiftool", ["-all=", "-o", "-", found.path]).output)
    }
    #expect(decoded[0] == decoded[1] && decoded[0].count > 500, "\(name)")
  }

  static let decoded = [
    "avif/Irvine_CA.avif", "avif/white_1x1.avif", "avif/kimono.rotate90.avif", "avif/sofa_grid1x5_420.avif",
    "avif/paris_icc_exif_xmp.avif", "heic/C002.heic", "heic/C020.heic", "heic/MIAF001.heic", "heic/xiaomi.heic",
  ]

  @Test("Samsung's trailer stays last, and an iPhone's gain maps keep their references.")
  func phones() throws {
    for name in ["200MP.heic", "Issue_487.heic", "sewing-threads.heic"] {
      let source = try FileSource(Corpus.shared.appending(path: "corpus/heic/" + name).filePath)
      let old = try source.bytes(0..<source.count)
      let new = try HEIFTests.edited(old, try Self.edit())
      let trailer = try #require(HEIFFile(old).boxes.last)
      let moved = try #require(HEIFFile(new).boxes.last)
      #expect(trailer.type == "sefd" && moved.range.upperBound == new.count, "\(name)")
      // Except for the date in it, in milliseconds.
      let (before, after) = (try old.bytes(trailer.range).array, try new.bytes(moved.range).array)
      #expect(before.count == after.count && zip(before, after).count { $0 != $1 } <= 13, "\(name)")
    }
    let source = try FileSource(Corpus.shared.appending(path: "corpus/heic/IMG_3853.HEIC").filePath)
    let old = try source.bytes(0..<source.count)
    let (before, after) = (try HEIFFile(old).meta, try HEIFFile(try HEIFTests.edited(old, try Self.edit())).meta)
    #expect(before?.items.map(\.id) == after?.items.map(\.id))
    #expect(before?.references.map(\.to) == after?.references.map(\.to))
  }

  @Test("A malformed file is read, edited or refused within two seconds.", arguments: ["heif", "avif"])
  func hostile(folder: String) throws {
    var removal = MetadataEdit()
    removal.location = .remove
    for file in Corpus.files("malformed/" + folder) {
      let time = try cost(of: file, [try Self.edit(), removal])
      #expect(time < .seconds(2), "\(file.lastPathComponent)")
    }
  }

  /// Expects that every item except EXIF, XMP and IPTC has its old bytes.
  private func expectSamePayloads(_ old: any ByteSource, _ new: any ByteSource, _ name: String) throws {
    let (before, after) = (try Self.payloads(old), try Self.payloads(new))
    #expect(before == after, "\(name)")
  }

  private static func payloads(_ source: any ByteSource) throws -> [Int: [UInt8]] {
    let file = try HEIFFile(source)
    let meta = try #require(file.meta)
    var payloads: [Int: [UInt8]] = [:]
    for item in meta.items where !["Exif", "mime", "iptc"].contains(item.type) {
      guard let row = meta.locations.rows.first(where: { $0.id == item.id }) else { continue }
      payloads[item.id] = try source.digest(try #require(file.ranges(of: row)))
    }
    return payloads
  }
}
