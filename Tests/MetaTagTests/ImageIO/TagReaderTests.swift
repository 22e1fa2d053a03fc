import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("All tags of a photo")
struct TagReaderTests {
  private static let samples = Corpus.project.appending(path: "SampleImages").filePath

  @Test(
    "The tags of every format with EXIF include the camera's model and the date.",
    arguments: [
      "aurora-01-jetty.jpg", "aurora-07-church.avif", "borealis-06-ferns.tif", "borealis-09-moss.jxl",
      "cirrus-01-boat.heic", "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "raw/delta-01.nef", "raw/delta-02.cr2",
      "raw/delta-03.orf", "raw/delta-04.rw2", "raw/delta-05.raf", "raw/delta-06.mrw", "raw/delta-08.crw",
    ])
  func camera(_ name: String) throws {
    let image = try ImageSource(Self.samples.appending(FilePath(name).components))
    let tags = try TagReader().tags(of: image)
    let metadata = image.metadata()
    #expect(tags.first { $0.key == "Exif.Image.Model" }?.raw == metadata.model)
    #expect(tags.contains { $0.key == "Exif.Photo.DateTimeOriginal" } == (metadata.captureTime != nil))
  }

  @Test(
    "The tags of a photo in memory are those of its file.",
    arguments: [
      "aurora-01-jetty.jpg", "cirrus-01-boat.heic", "raw/delta-01.nef", "raw/delta-03.orf", "cirrus-01-boat.mov",
    ])
  func memory(_ name: String) async throws {
    let image = try ImageSource(Self.samples.appending(FilePath(name).components))
    let bytes = try image.file.bytes(0..<image.file.count).array
    let tags = try await TagReader().tags(of: ImageSource(bytes: bytes))
    #expect(try await tags == TagReader().tags(of: image))
    #expect(tags.count > 5)
  }

  @Test("A HEIF file's XMP is listed too.")
  func packet() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/cirrus-01-boat.heic")).filePath
    var edit = MetadataEdit()
    edit.fields[.title] = .set(.text("Boat"))
    let image = try ImageSource(photo)
    var bytes = try image.file.bytes(0..<image.file.count).array
    for splice in try image.patch(for: edit).splices.reversed() {
      bytes.replaceSubrange(splice.range, with: splice.bytes)
    }
    try Data(bytes).write(to: URL(filePath: photo.string))
    let tags = try TagReader().tags(of: ImageSource(photo))
    #expect(tags.contains { $0.key == "Xmp.dc.title" && $0.text.contains("Boat") })
    #expect(tags.count { $0.key == "Xmp.dc.title" } == 1)
  }

  @Test("A file without metadata has no tags, also in a format that exiv2 doesn't read.")
  func none() throws {
    let scratch = try Scratch()
    let gif: [UInt8] =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    let image = try ImageSource(try scratch.write(gif, as: "a.gif").filePath)
    #expect(try TagReader().tags(of: image).isEmpty)
  }

  @Test(
    "A real file whose tags would be incomplete or have wrong names is an error.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"),
    arguments: ["raw/CanonRaw.cr3", "tiff/BigTIFF.tif"])
  func incomplete(_ name: String) throws {
    let image = try ImageSource(Corpus.shared.appending(path: "corpus/" + name).filePath)
    let error = #expect(throws: FileError.self) { try TagReader().tags(of: image) }
    #expect(error?.code == .tagsNotListed)
  }
}
