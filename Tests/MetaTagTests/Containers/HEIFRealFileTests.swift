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
  /// Sequences that have no pictures of their own, and HEIF's short form: no place for EXIF.
  static let placeless: Set = ["C026.heic", "C027.heic", "C028.heic", "lightning_mini.heif"]

  static func edit() throws -> MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(47.6062, -122.3321), altitude: 56))
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 20_700)))
    return edit
  }

  @Test("Place, date and offset are written, by exiftool's word; nothing else changes", arguments: folders)
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
      } catch let error as PhotoError {
        #expect(Self.placeless.contains(name) && error.kind == .unsupported, "\(name): \(error)")
      }
    }
    let before = try Self.tags(in: Corpus.shared.appending(path: "corpus/" + folder))
    let after = try Self.tags(in: scratch.url)
    for name in names {
      let (old, new) = (before[name] ?? [:], after[name] ?? [:])
      print(name, new["GPS:GPSLatitude"] ?? "-", new["ExifIFD:DateTimeOriginal"] ?? "-", new["ExifTool:Warning"] ?? "", new["ExifTool:Error"] ?? "")
      for key in Set(old.keys).union(new.keys).sorted() where !Self.isEdited(key) && old[key] != new[key] {
        print("DIFF", name, key, old[key] ?? "none", new[key] ?? "none")
      }
    }
  }

  /// Every item but EXIF, XMP and IPTC has its bytes.
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

  private static func isEdited(_ key: String) -> Bool {
    let tag = key.split(separator: ":").last.map(String.init) ?? key
    return ["SourceFile", "File:FileSize", "File:ExifByteOrder"].contains(key)
      || ["System:", "GPS:", "Composite:", "ExifTool:"].contains { key.hasPrefix($0) }
      || [
        "DateTimeOriginal", "CreateDate", "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTimeOriginal",
        "SubSecTimeDigitized", "ExifVersion", "DateCreated", "MediaDataSize", "MediaDataOffset",
      ].contains(tag)
  }

  private static func tags(in folder: URL) throws -> [String: [String: String]] {
    let answer = try Oracle.run("exiftool", ["-a", "-G1", "-j", "-n", "-q", "-q", folder.path])
    let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]] ?? []
    return rows.reduce(into: [:]) { tags, row in
      let name = (row["SourceFile"] as? String).map { URL(filePath: $0).lastPathComponent } ?? ""
      tags[name] = row.mapValues { "\($0)" }
    }
  }
}
