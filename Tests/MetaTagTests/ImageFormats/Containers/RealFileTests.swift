import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "Real files", .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or exiftool is missing"))
struct RealFileTests {
  static let folders = ["jpeg-makernote", "jpeg-orientation", "jpeg-special", "tiff", "raw"]

  @Test("A new location and a shifted time change nothing else.", arguments: folders)
  func editing(folder: String) throws {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(47.6062, -122.3321), altitude: 56))
    edit.dates = .adjust(TimeShift(seconds: 4_980), offset: .keep)
    for (name, new) in try expectOnlyWanted(edit, in: folder) {
      // ExifTool 12.57 reads the GPS directory of a BigTIFF with the tag names of IFD0.
      if name.hasPrefix("BigTIFF") { continue }
      #expect(new["GPS:GPSLatitude"] == "47.6062", "\(name)")
      #expect(new["GPS:GPSLongitude"] == "122.3321" && new["GPS:GPSLongitudeRef"] == "W", "\(name)")
      #expect(new["GPS:GPSAltitude"] == "56", "\(name)")
    }
  }

  @Test("A removed location is gone, and nothing else.", arguments: folders)
  func removal(folder: String) throws {
    var edit = MetadataEdit()
    edit.location = .remove
    for (name, new) in try expectOnlyWanted(edit, in: folder) {
      #expect(!new.keys.contains { $0.hasPrefix("GPS:") }, "\(name)")
    }
  }

  @Test("exiftool reads the date and zone that were set.", arguments: folders)
  func dates(folder: String) throws {
    var edit = MetadataEdit()
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 20_700)))
    for (name, new) in try expectOnlyWanted(edit, in: folder) where !name.hasPrefix("BigTIFF") {
      #expect(new["ExifIFD:DateTimeOriginal"] == "2023:01:02 03:04:05", "\(name)")
      #expect(new["ExifIFD:CreateDate"] == "2023:01:02 03:04:05", "\(name)")
      #expect(new["ExifIFD:OffsetTimeOriginal"] == "+05:45", "\(name)")
      #expect(new["ExifIFD:SubSecTimeOriginal"] == nil, "\(name)")
    }
  }

  @Test("Writing a photo's current values changes nothing.", arguments: folders)
  func ownValues(folder: String) throws {
    for file in Self.files(folder) where !Self.broken.contains(file.lastPathComponent) {
      let source = try FileSource(file.filePath)
      guard let location = try Editing.metadata(of: source).location else { continue }
      var edit = MetadataEdit()
      edit.location = .set(location)
      edit.dates = .adjust(.zero, offset: .keep)
      #expect(try Editing.patch(edit, of: source).isEmpty, "\(file.lastPathComponent)")
    }
  }

  /// Edits every file of a folder and expects that exiftool finds everything else unchanged. Returns its new tags, by
  /// name.
  private func expectOnlyWanted(_ edit: MetadataEdit, in folder: String) throws -> [(String, [String: String])] {
    let scratch = try Scratch()
    var names: [String] = []
    for file in Self.files(folder) {
      let source = try FileSource(file.filePath)
      do {
        let new = try Editing.edited(source, edit)
        try expectSamePixelsAndNotes(source, new, file)
        #expect(try Editing.patch(edit.repeatable, of: new).isEmpty, "\(file.lastPathComponent): twice")
        try scratch.write(new.array, as: file.lastPathComponent)
        names.append(file.lastPathComponent)
      } catch let error as FileError {
        #expect(Self.broken.contains(file.lastPathComponent), "\(file.lastPathComponent): \(error)")
      }
    }
    let before = try Self.before.get()
    let after = try ExifToolTags.read(in: [scratch.url])
    var found: [(String, [String: String])] = []
    for name in names {
      guard name != Self.healed else { continue }
      guard let old = before[name], let new = after[name] else {
        Issue.record("\(name): exiftool doesn't read it")
        continue
      }
      for key in Set(old.keys).union(new.keys).sorted()
      where !ExifToolTags.isEdited(key) && !isNew(key, in: old) && !Self.oddities.contains("\(name) \(key)") {
        // A shift also moves the date of the last change if the camera wrote it with its zone.
        let isCamera = old["ExifIFD:OffsetTime"] != nil && old[key] == old["ExifIFD:DateTimeOriginal"]
        let follows = if case .adjust = edit.dates { key == "IFD0:ModifyDate" && isCamera } else { false }
        let wanted = follows ? new["ExifIFD:DateTimeOriginal"] : old[key]
        #expect(new[key] == wanted, "\(name): \(key)")
      }
      found.append((name, new))
    }
    return found
  }

  private func expectSamePixelsAndNotes(_ old: any ByteSource, _ new: Bytes, _ file: URL) throws {
    let container = try Editing.container(of: old)
    let (before, after) = (try container.layout(of: old), try container.layout(of: new))
    #expect(before.imageData.count == after.imageData.count, "\(file.lastPathComponent)")
    for (a, b) in zip(before.imageData, after.imageData) {
      let same = try old.bytes(a).array == new.bytes(b).array
      #expect(same, "\(file.lastPathComponent): pixels")
    }
    let (note, newNote) = (try makerNote(before, old), try makerNote(after, new))
    #expect(note?.entry.value == newNote?.entry.value, "\(file.lastPathComponent): place of the note")
    #expect(note?.bytes == newNote?.bytes, "\(file.lastPathComponent): note")
  }

  private func makerNote(_ layout: Layout, _ source: any ByteSource) throws -> (entry: TIFFEntry, bytes: [UInt8]?)? {
    guard let range = layout.exif else { return nil }
    let block = try TIFFBlock(source, range)
    return block.exif?[0x927C].map { ($0, block.raw($0)?.array) }
  }

  /// DNG is the only raw format that is edited.
  private static func files(_ folder: String) -> [URL] {
    Corpus.files("corpus/" + folder).filter { folder != "raw" || $0.pathExtension == "dng" }
  }

  /// A fuzzer damaged this file's pointer to the EXIF directory; with the right one it is readable again.
  private static let healed = "cve-2012-2813.jpg"
  /// Cut short, or with segments of wrong lengths.
  private static let broken: Set = ["exiv2-bug1247.jpg", "motion_photo_pixel_synth.jpg", "IMG_1361.dng"]
  /// A value that reaches 12 bytes beyond its segment until that grows.
  private static let oddities: Set = ["Sanyo_S1.JPG Sanyo:SanyoThumbnail"]

  /// Whether EXIF requires the tag in a JPEG that gets its first EXIF directory.
  private func isNew(_ key: String, in old: [String: String]) -> Bool {
    key.hasPrefix("ExifIFD:") && !old.keys.contains { $0.hasPrefix("ExifIFD:") }
  }

  /// The tags of all real files, by name.
  private static let before = Result {
    try ExifToolTags.read(in: folders.map { Corpus.shared.appending(path: "corpus/" + $0) })
  }
}

extension MetadataEdit {
  /// The part of this edit that sets values, without the part that shifts them.
  fileprivate var repeatable: MetadataEdit {
    var edit = self
    if case .adjust = dates { edit.dates = .keep }
    return edit
  }
}
