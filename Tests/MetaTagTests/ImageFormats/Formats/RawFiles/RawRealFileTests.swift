import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "Real raw files",
  .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or exiftool is missing"))
struct RawRealFileTests {
  private static let samples = Corpus.project.appending(path: "SampleImages/raw")
  private static let made = ["01.nef", "02.cr2", "03.orf", "04.rw2", "05.raf", "06.mrw", "07.x3f", "08.crw"]
  private static let files = Corpus.files("corpus/raw") + made.map { samples.appending(path: "delta-\($0)") }
  /// Files that are shorter than they say.
  private static let cut: Set = ["IMG_1361.dng", "sample.arw", "sample.cr2"]
  private static let readOnly: Set = ["raf", "mrw", "x3f", "crw"]
  private static let tags = Result {
    try ExifToolTags.read(in: [Corpus.shared.appending(path: "corpus/raw"), samples])
  }

  /// ExifTool reports the size of a preview or thumbnail, or the uncropped size.
  private static let otherSizes: Set = ["SigmaDP2.x3f", "sample.arw", "delta-07.x3f"]

  @Test("Date, camera, orientation, size and type are those that exiftool reads.", arguments: files)
  func reading(file: URL) throws {
    let tags = try #require(try Self.tags.get()[file.lastPathComponent])
    let image = try ImageSource(file.filePath)
    let metadata = image.metadata()
    #expect(image.type.rawValue == tags["File:FileType"]?.lowercased())
    let ours = metadata.captureTime.map { $0.civil.exifText } ?? ""
    let dates = ["ExifIFD", "CanonRaw", "SigmaRaw"].compactMap { tags["\($0):DateTimeOriginal"] }
    #expect(ours == (dates.first?.trimmingCharacters(in: .whitespaces) ?? ""))
    for (value, tag) in [(metadata.make, "Make"), (metadata.model, "Model")] {
      let theirs = ["IFD0", "CanonRaw"].lazy.compactMap { tags["\($0):\(tag)"] }.first
      #expect(value == theirs?.trimmingCharacters(in: .whitespaces))
    }
    if let orientation = tags["IFD0:Orientation"] {
      #expect(image.properties.orientation.map(String.init) == orientation)
    }
    if let theirs = tags["Composite:ImageSize"], !Self.otherSizes.contains(file.lastPathComponent) {
      let size = image.properties.pixelSize
      #expect(size.map { "\($0.width) \($0.height)" } == theirs)
    }
  }

  private static var editable: [URL] {
    files.filter { !readOnly.contains($0.pathExtension.lowercased()) && !cut.contains($0.lastPathComponent) }
  }

  private static func edit() throws -> MetadataEdit { try HEIFRealFileTests.edit() }

  @Test("exiftool reads the new location, date and offset in edited raw files, and undo restores them.")
  func editing() throws {
    let scratch = try Scratch()
    for file in Self.editable {
      let name = file.lastPathComponent
      let source = try FileSource(file.filePath)
      let image = try ImageSource(source, path: file.filePath)
      let patch = try image.patch(for: try Self.edit())
      let new = Bytes(try patch.applied(to: source))
      let after = try ImageSource(new, path: file.filePath)
      #expect(after.type == image.type, "\(name)")
      try Expectation(edit: try Self.edit(), before: image.metadata()).check(after.metadata())
      #expect(try after.patch(for: try Self.edit()).isEmpty, "\(name)")
      #expect(try patch.inverse(of: source).applied(to: new) == source.bytes(0..<source.count).array)
      #expect(try source.digest(image.layout.imageData) == new.digest(after.layout.imageData), "\(name)")
      try scratch.write(new.array, as: name)
    }
    let (before, after) = (try Self.tags.get(), try ExifToolTags.read(in: [scratch.url]))
    #expect(after.count == Self.editable.count && after.count >= 13)
    for (name, new) in after {
      let old = try #require(before[name])
      #expect(new["GPS:GPSLatitude"] == "47.6062" && new["GPS:GPSLongitude"] == "122.3321", "\(name)")
      #expect(new["ExifIFD:DateTimeOriginal"] == "2023:01:02 03:04:05", "\(name)")
      #expect(new["ExifIFD:OffsetTimeOriginal"] == "+05:45", "\(name)")
      for key in Set(old.keys).union(new.keys).sorted()
      where !ExifToolTags.isEdited(key) && !(name.hasSuffix(".rw2") && Self.moved.contains(key)) {
        #expect(old[key] == new[key], "\(name): \(key)")
      }
      #expect(new["ExifTool:Warning"] == old["ExifTool:Warning"] && new["ExifTool:Error"] == nil, "\(name)")
    }
    try expectSamePreviews(in: scratch.url)
  }

  /// A changed preview is a new value, which is a page longer.
  private static let moved: Set = ["IFD0:JpgFromRaw", "IFD1:ThumbnailOffset"]

  /// Expects that every embedded picture and the maker note are unchanged.
  private func expectSamePreviews(in folder: URL) throws {
    for file in Self.editable {
      let edited = folder.appending(path: file.lastPathComponent)
      for tag in [
        "PreviewImage", "JpgFromRaw", "OtherImage", "ThumbnailImage", "ThumbnailTIFF", "MakerNotes", "RawData",
      ]
      where file.pathExtension != "rw2" || tag != "JpgFromRaw" {
        let answers = try [file, edited].map { try Oracle.run("exiftool", ["-b", "-a", "-\(tag)", $0.path]).output }
        #expect(answers[0] == answers[1], "\(file.lastPathComponent): \(tag)")
      }
    }
  }

  private static let names: Set = [
    "IPTC:City", "IPTC:Province-State", "IPTC:Country-PrimaryLocationName", "IPTC:Country-PrimaryLocationCode",
  ]

  @Test("A removed location is gone from raw files, and nothing else.")
  func removal() throws {
    let scratch = try Scratch()
    // One has a location where it can't be erased: see below.
    for file in Self.editable where file.lastPathComponent != "Nikon.nef" {
      let source = try FileSource(file.filePath)
      let located = Bytes(try ImageSource(source, path: file.filePath).patch(for: try .place()).applied(to: source))
      let image = try ImageSource(located, path: file.filePath)
      let new = Bytes(try image.patch(for: .removal).applied(to: located))
      let after = try ImageSource(new, path: file.filePath)
      try Expectation(edit: .removal, before: image.metadata()).check(after.metadata())
      try ExactPlaces(in: image).requireNone(in: after, isRaw: true)
      try scratch.write(new.array, as: file.lastPathComponent)
    }
    let (before, after) = (try Self.tags.get(), try ExifToolTags.read(in: [scratch.url]))
    for (name, new) in after {
      #expect(!new.keys.contains { $0.hasPrefix("GPS:GPSL") }, "\(name)")
      #expect(!new.keys.contains(where: Self.names.contains), "\(name)")
      let old = try #require(before[name])
      for key in Set(old.keys).union(new.keys).sorted()
      where !ExifToolTags.isEdited(key) && !Self.names.contains(key)
        && !(name.hasSuffix(".rw2") && Self.moved.contains(key))
      {
        #expect(old[key] == new[key], "\(name): \(key)")
      }
    }
  }

  @Test("A raw file that is cut or only readable refuses every edit.", arguments: files)
  func refusals(file: URL) throws {
    let isReadOnly = Self.readOnly.contains(file.pathExtension)
    guard isReadOnly || Self.cut.contains(file.lastPathComponent) else { return }
    let image = try ImageSource(file.filePath)
    for edit in [try Self.edit(), .removal] {
      guard edit.location != .remove || isReadOnly || image.metadata().location != nil else { continue }
      let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
      #expect(error?.kind == .refused)
      if isReadOnly { #expect(error?.code == (edit.location == .remove ? .notErasable : .readOnlyFormat)) }
    }
  }

  @Test("A raw file cut or garbled anywhere takes at most a second and never traps.", arguments: files)
  func hostile(file: URL) throws {
    let whole = [UInt8](try Data(contentsOf: file))
    var random = SeededGenerator(seed: 7)
    let edits = [try Self.edit(), MetadataEdit.removal]
    func plan(_ bytes: [UInt8]) throws -> Duration {
      let source = Bytes(bytes)
      return try processorTime {
        do {
          let image = try ImageSource(source, path: "broken")
          _ = (image.metadata(), image.properties)
          for edit in edits { _ = try image.patch(for: edit).applied(to: source) }
        } catch let error as FileError {
          #expect(!error.description.isEmpty)
        }
      }
    }
    let tries = whole.count > 1 << 20 ? 10 : 60
    for _ in 0..<tries {
      let end = Int.random(in: 0..<whole.count, using: &random)
      #expect(try plan(Array(whole[..<max(1, min(end, end * end / whole.count + 1))])) < .seconds(1))
      var bytes = whole
      for _ in 0..<4 {
        // The structure is in the first kilobytes and at the end.
        let at = Int.random(in: 0..<min(4_096, whole.count), using: &random)
        bytes[Bool.random(using: &random) ? at : whole.count - 1 - at] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(try plan(bytes) < .seconds(1))
    }
  }

  @Test(
    "A thumbnail is made from the embedded JPEG.", .enabled(if: Oracle.has("ffmpeg"), "ffmpeg is missing"),
    arguments: [
      ("FujiFilm.raf", 160), ("exiv2-canon-powershot-s40.crw", 160), ("Canon-R6-pruned.CR3", 1_620),
      ("nikon_z_9_high_efficiency_compressed_dx_cropped_max_overexposed.dng", 256),
    ])
  func thumbnails(name: String, side: Int) async throws {
    let image = try ImageSource(Corpus.shared.appending(path: "corpus/raw/" + name).filePath)
    let thumbnail = try await image.thumbnail(.maxPixels(side), codecs: ThumbnailTests.codecs.get())
    #expect(!thumbnail.isDegraded && max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == side)
  }

  @Test("A location in Nikon Capture's data refuses its removal.")
  func nikonCapture() throws {
    let path = Corpus.shared.appending(path: "corpus/raw/Nikon.nef").filePath
    let error = #expect(throws: FileError.self) { try ImageSource(path).patch(for: .removal) }
    #expect(error?.kind == .refused && error?.description.contains("Nikon Capture") == true)
  }
}
