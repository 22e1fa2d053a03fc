@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "Real PNG, WebP and JPEG XL files",
  .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or exiftool is missing"))
struct PictureRealFileTests {
  static let folders = ["png", "webp", "jxl"]

  private static func edit() throws -> MetadataEdit {
    var edit = try HEIFRealFileTests.edit()
    edit.endsReconstruction = true
    return edit
  }

  @Test(
    "exiftool reads the new location, date and offset, and everything else unchanged.", arguments: folders)
  func editing(folder: String) throws {
    let scratch = try Scratch()
    let files = Corpus.files("corpus/" + folder)
    for file in files {
      let source = try FileSource(file.filePath)
      let image = try ImageSource(source, path: file.filePath)
      let patch = try image.patch(for: try Self.edit())
      let new = Bytes(try patch.applied(to: source))
      try expectSamePictures(source, new, file.lastPathComponent)
      #expect(
        try ImageSource(new, path: file.filePath).patch(for: try Self.edit()).isEmpty, "\(file.lastPathComponent)")
      #expect(try patch.inverse(of: source).applied(to: new) == source.bytes(0..<source.count).array)
      try scratch.write(new.array, as: file.lastPathComponent)
    }
    // Debian's exiftool can't unpack brotli, so it reads compressed boxes only afterwards.
    let before = try ExifToolTags.read(in: [Corpus.shared.appending(path: "corpus/" + folder)])
    let after = try ExifToolTags.read(in: [scratch.url])
    for file in files {
      let name = file.lastPathComponent
      let (old, new) = (before[name] ?? [:], after[name] ?? [:])
      #expect(new["GPS:GPSLatitude"] == "47.6062" && new["GPS:GPSLongitude"] == "122.3321", "\(name)")
      #expect(new["ExifIFD:DateTimeOriginal"] == "2023:01:02 03:04:05", "\(name)")
      #expect(new["ExifIFD:OffsetTimeOriginal"] == "+05:45", "\(name)")
      for key in Set(old.keys).union(new.keys).sorted()
      where !ExifToolTags.isEdited(key) && !Self.forms.contains(where: key.hasPrefix) {
        #expect(old[key] == new[key] || old[key] == nil && folder == "jxl", "\(name): \(key)")
      }
    }
  }

  /// Whether a WebP file has `VP8X`, and a JPEG XL file boxes, and the location that ImageMagick copied to texts.
  static let forms = ["File:FileType", "PNG:ExifGPS"]

  @Test("A removed location is gone, and nothing else.", arguments: folders)
  func removal(folder: String) throws {
    var removal = MetadataEdit.removal
    removal.endsReconstruction = true
    for file in Corpus.files("corpus/" + folder) {
      let source = try FileSource(file.filePath)
      var wanted = try Self.edit()
      wanted.dates = .keep
      let located = Bytes(try ImageSource(source, path: file.filePath).patch(for: wanted).applied(to: source))
      let new = Bytes(try ImageSource(located, path: file.filePath).patch(for: removal).applied(to: located))
      #expect(try ImageSource(new, path: file.filePath).metadata().locations.isEmpty, "\(file.lastPathComponent)")
      for order in [Bytes.Order.big, .little] {
        let trace = TIFFValue.rational(EXIF.sexagesimal(47.6062)).encoded(order).bytes
        #expect(new.firstIndex(of: trace) == nil, "\(file.lastPathComponent)")
      }
      try expectSamePictures(source, new, file.lastPathComponent)
    }
  }

  @Test("pngcheck finds no fault in the edited files.", .enabled(if: Oracle.has("pngcheck"), "pngcheck is missing"))
  func pngcheck() throws { try expectNoFault(in: "png", by: "pngcheck", ["-q"]) }

  @Test("webpinfo finds no fault in the edited files.", .enabled(if: Oracle.has("webpinfo"), "webpinfo is missing"))
  func webpinfo() throws { try expectNoFault(in: "webp", by: "webpinfo", ["-quiet"]) }

  private func expectNoFault(in folder: String, by program: String, _ arguments: [String]) throws {
    let scratch = try Scratch()
    var checked = 0
    for file in Corpus.files("corpus/" + folder) {
      // A fault before the edit may be one after it.
      guard try Oracle.run(program, arguments + [file.path]).status == 0 else { continue }
      let source = try FileSource(file.filePath)
      let new = try ImageSource(source, path: file.filePath).patch(for: try Self.edit()).applied(to: source)
      let written = try scratch.write(new, as: file.lastPathComponent)
      let answer = try Oracle.run(program, arguments + [written.path])
      #expect(answer.status == 0, "\(file.lastPathComponent): \(answer.text) \(answer.errors)")
      checked += 1
    }
    #expect(checked > 5)
  }

  @Test(
    "djxl decodes the same pixels, and the same JPEG if that was kept.",
    .enabled(if: Oracle.has("djxl"), "djxl is missing"))
  func pixels() throws {
    let scratch = try Scratch()
    var compared = 0
    for file in Corpus.files("corpus/jxl") {
      let source = try FileSource(file.filePath)
      let new = try ImageSource(source, path: file.filePath).patch(for: try Self.edit()).applied(to: source)
      let written = try scratch.write(new, as: "new.jxl")
      let isKept = ["input__2.jxl", "input__5.jxl"].contains(file.lastPathComponent)
      for ending in ["ppm", "pfm", "pgm"] + (isKept ? ["jpg"] : []) {
        let outputs = [file, written].map {
          ($0, scratch.url.appending(path: "\($0 == file ? "old" : "new").\(ending)"))
        }
        let answers = try outputs.map { try Oracle.run("djxl", [$0.path, $1.path]) }
        #expect(answers[0].status == answers[1].status, "\(file.lastPathComponent): \(answers[1].errors)")
        guard answers[0].status == 0 else { continue }
        #expect(try Data(contentsOf: outputs[0].1) == (try Data(contentsOf: outputs[1].1)), "\(file.lastPathComponent)")
        compared += 1
      }
    }
    #expect(compared > 10)
  }

  @Test("A malformed file is read, edited or refused within a second.", arguments: ["png", "webp", "jpeg-mixed"])
  func hostile(folder: String) throws {
    for file in Corpus.files("malformed/" + folder) {
      let time = try cost(of: file, [try Self.edit(), .removal])
      #expect(time < .seconds(1), "\(file.lastPathComponent)")
    }
  }

  /// Expects that all bytes outside the metadata are unchanged, except those that only the original JPEG needs, if the
  /// edit gave it up.
  private func expectSamePictures(_ old: any ByteSource, _ new: any ByteSource, _ name: String) throws {
    let (before, after) = (try Self.layout(old), try Self.layout(new))
    let ended = after.rebuildsJPEG ? [] : before.blocks.filter { $0.content == .reconstruction }.map(\.range)
    #expect(try old.digest(before.imageData.excluding(ended)) == new.digest(after.imageData), "\(name)")
  }

  private static func layout(_ source: any ByteSource) throws -> Layout { try ImageSource(source, path: "any").layout }
}
