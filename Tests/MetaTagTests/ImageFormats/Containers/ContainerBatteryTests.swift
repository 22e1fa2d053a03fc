@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// The requirements on every format, over samples of all of them.
@Suite("Every container")
struct ContainerBatteryTests {
  private static func open(_ bytes: any ByteSource) throws -> ImageSource {
    try ImageSource(bytes, path: "made")
  }

  private static func edit() throws -> MetadataEdit {
    var edit = try MetadataEdit.place(altitude: 56)
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 20_700)))
    return edit
  }

  private static func next() throws -> MetadataEdit {
    var edit = try MetadataEdit.place(-33.85681, 151.21531, altitude: 5)
    edit.dates = .adjust(TimeShift(seconds: 4_980), offset: .keep)
    return edit
  }

  /// Returns `bytes` after `edit`. The edit reads back, image data is unchanged, and undo restores every byte.
  private static func edited(_ bytes: Bytes, _ edit: MetadataEdit) throws -> (new: Bytes, patch: Patch) {
    let image = try open(bytes)
    let patch = try image.patch(for: edit)
    let new = Bytes(try patch.applied(to: bytes))
    let after = try open(new)
    try Expectation(edit: edit, before: image.metadata()).check(after.metadata())
    let (before, now) = (try image.imageBytes(), try after.imageBytes())
    // Panasonic's picture has no recorded end, so erased bytes after it count as part of it.
    #expect(now == before || after.type == .rw2 && now.starts(with: before))
    #expect(try patch.inverse(of: bytes).applied(to: new) == bytes.array)
    return (new, patch)
  }

  @Test("There are samples of every format.")
  func complete() throws {
    let types = Set(try (BatterySample.all + BatterySample.readOnly).map { try Self.open($0.bytes).type })
    for container in containers { #expect(!types.isDisjoint(with: container.types)) }
  }

  @Test("Writing a file's current values changes nothing.", arguments: BatterySample.all)
  func ownValues(sample: BatterySample) throws {
    for bytes in [sample.bytes, try Self.edited(sample.bytes, try Self.edit()).new] {
      let image = try Self.open(bytes)
      var edit = MetadataEdit.dates(.adjust(.zero, offset: .keep))
      if let location = image.metadata().location { edit.location = .set(location) }
      #expect(try image.patch(for: edit).isEmpty)
      if let time = image.metadata().captureTime, time.offset != nil {
        #expect(try image.patch(for: .dates(.set(time))).isEmpty)
      }
    }
  }

  @Test(
    "An edit is read back, the next one fits in place, and a removed location is gone.",
    arguments: BatterySample.all)
  func editing(sample: BatterySample) throws {
    let first = try Self.edited(sample.bytes, try Self.edit()).new
    #expect(try Self.open(first).patch(for: try Self.edit()).isEmpty)
    let second = try Self.edited(first, try Self.next())
    #expect(second.new.count == first.count)
    #expect(second.patch.splices.count < 32)
    let cleared = try Self.edited(second.new, .removal).new
    #expect(cleared.count == first.count)
    for pattern in Self.traces where cleared.firstIndex(of: pattern) != nil {
      Issue.record("what is left: \(pattern)")
    }
  }

  /// The bytes of the locations written here.
  private static let traces: [[UInt8]] =
    [47.6062, 122.3321, 33.85681, 151.21531].flatMap { degrees in
      [Bytes.Order.big, .little].map { TIFFValue.rational(EXIF.sexagesimal(degrees)).encoded($0).bytes }
    } + ["+47.606", "-122.332", "-33.856", "+151.215"].map { Array($0.utf8) }

  @Test(
    "A raw file's name has the right article.", arguments: [(ImageType.orf, "an Olympus ORF"), (.nef, "a Nikon NEF")])
  func rawName(type: ImageType, kind: String) {
    #expect(type.rawName == kind + " raw file")
  }

  @Test(
    "A read-only format is read, and an edit is refused.",
    arguments: BatterySample.readOnly)
  func readOnly(sample: BatterySample) throws {
    let image = try Self.open(sample.bytes)
    let metadata = image.metadata()
    #expect(metadata.captureTime?.civil.description == "2024-05-23T18:38:41")
    #expect(metadata.make == "A maker" && metadata.model == "R0")
    #expect(image.properties.pixelSize == PixelSize(width: 640, height: 480))
    #expect(image.layout.isReadOnly)
    for (edit, isErasing) in [(try Self.edit(), false), (.removal, true)] {
      let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
      #expect(error == .isReadOnly(image.type, erasing: isErasing))
    }
    #expect(try image.patch(for: MetadataEdit()).isEmpty)
  }

  @Test(
    "A file cut at any byte is an error with a message, never a trap.",
    arguments: BatterySample.all + BatterySample.readOnly)
  func truncation(sample: BatterySample) throws {
    let whole = sample.bytes.array
    // The structure lies within the first bytes. Of the rest, only samples are tested.
    for count in Array(0..<min(whole.count, 1_500)) + stride(from: 1_500, to: whole.count, by: 13) {
      let cut = Bytes(Array(whole[..<count]))
      do throws(FileError) {
        let image = try ImageSource(cut, path: "cut")
        _ = image.metadata()
        _ = try image.patch(for: .removal)
        _ = try image.patch(for: Self.anyEdit)
        #expect(count >= whole.count - sample.tailCount, "cut to \(count) bytes")
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  private static let anyEdit = (try? edit()) ?? MetadataEdit()

  @Test(
    "exiftool reads the new values in the sample images, and all other tags unchanged.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func exiftool() throws {
    let folder = Corpus.project.appending(path: "SampleImages")
    let scratch = try Scratch()
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where !["md", "gpx", ""].contains(file.pathExtension) {
      let (new, _) = try Self.edited(Bytes([UInt8](try Data(contentsOf: file))), try Self.edit())
      try scratch.write(new.array, as: file.lastPathComponent)
    }
    let (before, after) = (try ExifToolTags.read(in: [folder]), try ExifToolTags.read(in: [scratch.url]))
    #expect(after.count >= 23)
    for (name, new) in after {
      let old = try #require(before[name])
      for key in Set(old.keys).union(new.keys).sorted()
      where !ExifToolTags.isEdited(key) && !key.hasPrefix("XMP-exif:GPS")
        && !(old["ExifIFD:ExifVersion"] == nil && key.hasPrefix("ExifIFD:"))
      {
        #expect(old[key] == new[key], "\(name): \(key)")
      }
      // FFmpeg's copy of the header equals the header.
      let (header, copy) = (new["QuickTime:CreateDate"], new["Keys:CreationTime"])
      #expect(copy == nil || copy?.filter(\.isNumber) == header?.filter(\.isNumber), "\(name)")
      #expect(new["Composite:GPSPosition"]?.hasPrefix("47.606") == true, "\(name)")
      let date = new["ExifIFD:DateTimeOriginal"] ?? new["Keys:CreationDate"] ?? new["XMP-exif:DateTimeOriginal"]
      #expect(date?.hasPrefix("2023:01:02 03:04:05") == true, "\(name)")
    }
  }
}

extension ImageSource {
  /// All image data, concatenated.
  fileprivate func imageBytes() throws -> [UInt8] {
    try layout.imageData.flatMap { try source.bytes($0).array }
  }
}
