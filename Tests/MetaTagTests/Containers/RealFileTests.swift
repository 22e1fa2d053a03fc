import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "Real files", .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or exiftool is missing"))
struct RealFileTests {
  static let folders = ["jpeg-makernote", "jpeg-orientation", "jpeg-special", "tiff"]

  @Test("A new place and a shifted clock change nothing else", arguments: folders)
  func editing(folder: String) throws {
    let scratch = try Scratch()
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(47.6062, -122.3321), altitude: 56))
    edit.dates = .adjust(TimeShift(seconds: 4_980), offset: .keep)
    var written: [String: URL] = [:]
    for file in Corpus.files("corpus/" + folder) {
      let source = try FileSource(file.filePath)
      do {
        let new = try Editing.edited(source, edit)
        try expectSamePixelsAndNotes(source, new, file)
        #expect(try Editing.patch(edit.placeOnly, of: new).isEmpty, "\(file.lastPathComponent): twice")
        written[file.lastPathComponent] = try scratch.write(new.array, as: file.lastPathComponent)
      } catch let error as PhotoError {
        #expect(Self.broken.contains(file.lastPathComponent), "\(file.lastPathComponent): \(error)")
      }
    }
    let before = try tags(in: Corpus.shared.appending(path: "corpus/" + folder))
    let after = try tags(in: scratch.url)
    for name in written.keys.sorted() {
      guard let old = before[name], let new = after[name] else {
        Issue.record("\(name): exiftool doesn't read it")
        continue
      }
      for key in Set(old.keys).union(new.keys).sorted()
      where !isEdited(key) && !Self.oddities.contains("\(name) \(key)") {
        #expect(old[key] == new[key], "\(name): \(key)")
      }
      // ExifTool 12.57 reads the GPS directory of a BigTIFF with the tag names of IFD0.
      if name.hasPrefix("BigTIFF") { continue }
      #expect(new["GPS:GPSLatitude"] == "47.6062", "\(name)")
      #expect(new["GPS:GPSLongitude"] == "122.3321" && new["GPS:GPSLongitudeRef"] == "W", "\(name)")
      #expect(new["GPS:GPSAltitude"] == "56", "\(name)")
    }
  }

  private func expectSamePixelsAndNotes(_ old: any ByteSource, _ new: Bytes, _ file: URL) throws {
    let container = try Editing.container(of: old)
    let (before, after) = (try container.layout(of: old), try container.layout(of: new))
    #expect(before.imageData.count == after.imageData.count, "\(file.lastPathComponent)")
    for (a, b) in zip(before.imageData, after.imageData) {
      let same = try old.bytes(a).array == new.bytes(b).array
      #expect(same, "\(file.lastPathComponent): pixels")
    }
    guard let range = before.exif, let newRange = after.exif else { return }
    let (a, b) = (try TIFFBlock(old, range), try TIFFBlock(new, newRange))
    let (note, newNote) = (a.exif?[0x927C], b.exif?[0x927C])
    #expect(note?.value == newNote?.value)
    #expect(
      note.flatMap { a.raw($0) }?.array == newNote.flatMap { b.raw($0) }?.array, "\(file.lastPathComponent): note")
  }

  /// Cut short, or with segments whose lengths are wrong.
  private static let broken: Set = ["exiv2-bug1247.jpg", "motion_photo_pixel_synth.jpg"]
  /// A value that reaches 12 bytes beyond its segment, until that grows.
  private static let oddities: Set = ["Sanyo_S1.JPG Sanyo:SanyoThumbnail"]

  private func isEdited(_ key: String) -> Bool {
    let tag = key.split(separator: ":").last.map(String.init) ?? key
    return ["SourceFile", "File:FileSize", "File:ExifByteOrder"].contains(key) || tag.hasPrefix("MPImage")
      || ["System:", "GPS:", "GPSInfo:", "Composite:", "ExifTool:"].contains { key.hasPrefix($0) }
      || ["DateTimeOriginal", "CreateDate", "SubSecDateTimeOriginal", "SubSecCreateDate"].contains(tag)
  }

  private func tags(in folder: URL) throws -> [String: [String: String]] {
    let answer = try Oracle.run("exiftool", ["-a", "-G1", "-j", "-n", "-q", "-q", folder.path])
    let parsed = try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]] ?? []
    var tags: [String: [String: String]] = [:]
    for file in parsed {
      guard let path = file["SourceFile"] as? String else { continue }
      tags[URL(filePath: path).lastPathComponent] = file.mapValues { "\($0)" }
    }
    return tags
  }
}

extension MetadataEdit {
  fileprivate var placeOnly: MetadataEdit {
    var edit = self
    edit.dates = .keep
    return edit
  }
}
