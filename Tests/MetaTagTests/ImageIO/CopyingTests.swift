import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Lossless copies by the library.
@Suite("Lossless copies")
struct CopyingTests {
  private static let samples = [
    "aurora-01-jetty.jpg", "cirrus-02-meadow.heic", "borealis-06-ferns.tif", "borealis-07-swans.mp4",
    "cirrus-04-signpost.png",
  ]

  private static func url(_ name: String) -> URL { Corpus.project.appending(path: "SampleImages/" + name) }

  private static var edit: MetadataEdit {
    get throws {
      var edit = MetadataEdit()
      edit.location = .set(Location(try .at(35.0116, 135.7681)))
      return edit
    }
  }

  @Test("A copy from a file and one from memory have the same bytes, and only the change.", arguments: samples)
  func copies(name: String) throws {
    let scratch = try Scratch()
    let original = try Data(contentsOf: Self.url(name))
    let file = try ImageSource(url: Self.url(name))
    let path = scratch.url.filePath.appending(name)
    try file.copy(to: path, applying: Self.edit)
    let bytes = try ImageSource(bytes: Array(original)).bytes(applying: Self.edit)
    #expect(try Array(Data(contentsOf: scratch.url.appending(path: name))) == bytes)
    let copy = try ImageSource(path)
    #expect(copy.metadata().location?.coordinate.latitude == 35.0116)
    var (before, after) = (file.metadata(), copy.metadata())
    (before.locations, after.locations) = ([], [])
    #expect(before.captureTimes == after.captureTimes && before.fields == after.fields)
    #expect(try Data(contentsOf: Self.url(name)) == original)
    let plain = scratch.url.filePath.appending("plain-" + name)
    try ImageSource(bytes: Array(original)).copy(to: plain)
    #expect(try Data(contentsOf: scratch.url.appending(path: "plain-" + name)) == original)
  }

  @Test("An existing file is never overwritten, and a refused change leaves nothing.")
  func taken() throws {
    let scratch = try Scratch()
    let file = try ImageSource(url: Self.url("aurora-01-jetty.jpg"))
    let path = try scratch.write(Data([1]), as: "a.jpg").filePath
    let error = #expect(throws: FileError.self) { try file.copy(to: path) }
    #expect(error?.code == .alreadyExists)
    var edit = MetadataEdit()
    edit.fields[.artist] = .set(.text("a\u{0}b"))
    #expect(throws: FileError.self) { try file.copy(to: scratch.url.filePath.appending("b.jpg"), applying: edit) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["a.jpg"])
  }

  @Test("A destination of the same format doesn't encode the picture again unless that is requested.")
  func destination() throws {
    let image = try ImageSource(url: Self.url("aurora-01-jetty.jpg"))
    let file = try ImageDestination(.jpeg, of: image, applying: Self.edit, codecs: PictureCodecs()).finalize()
    #expect(file.losses.isEmpty)
    #expect(try file.bytes == image.bytes(applying: Self.edit))
    #expect(file.pixelSize == image.properties.pixelSize)
    let new = try ImageDestination(.jpeg, of: image, recodes: true, codecs: PictureCodecs()).finalize()
    #expect(new.losses.map(\.code).contains(.recoded))
    #expect(new.bytes != file.bytes)
  }
}
