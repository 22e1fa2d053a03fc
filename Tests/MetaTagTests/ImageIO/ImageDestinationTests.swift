import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Image destinations")
struct ImageDestinationTests {
  static let codecs = Result { try PictureCodecs() }

  @Test("A destination supports the types that the codecs can encode.")
  func types() throws {
    let codecs = try Self.codecs.get()
    #expect(ImageDestination.supportedTypes(codecs) == [.jpeg, .heic, .avif])
    #expect(ImageDestination.supportedTypes(codecs.without(encoding: [.hevc])) == [.jpeg, .avif])
    #expect(ImageDestination.supportedTypes(.none).isEmpty)
  }

  @Test("A destination that can't be created is an error with the reason.")
  func impossible() throws {
    let codecs = try Self.codecs.get()
    let photo = try ImageSource(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg").filePath)
    #expect(throws: FileError(.noEncoder, "no encoder for HEVC is installed")) {
      try ImageDestination(.heic, of: photo, codecs: codecs.without(encoding: [.hevc]))
    }
    #expect(throws: FileError(.noEncoder, "TIFF files can't be created")) {
      try ImageDestination(.tiff, of: photo, codecs: codecs)
    }
  }

  @Test("A task gets the same file as a thread that blocks, and a CancellationError if it is cancelled.")
  func tasks() async throws {
    let photo = try ImageSource(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg").filePath)
    let destination = try ImageDestination(.jpeg, of: photo, recodes: true, codecs: Self.codecs.get())
    let blocking = await offloading { Result { try destination.finalize() } }
    #expect(try await destination.finalize().bytes == blocking.get().bytes)
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await destination.finalize()
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test(
    "A JPEG that is stored rotated is upright in every format.",
    .enabled(
      if: Corpus.isThere && Oracle.has("heif-convert") && Oracle.has("ffmpeg"),
      "\(Corpus.absence), or heif-convert or ffmpeg is missing"),
    arguments: [ImageType.heic, .avif])
  func upright(type: ImageType) throws {
    let scratch = try Scratch()
    let photo = try ImageSource(Corpus.shared.appending(path: "corpus/jpeg-orientation/Landscape_6.jpg").filePath)
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(35.0116, 135.7681)))
    let file = try ImageDestination(type, of: photo, applying: edit, quality: 90, codecs: Self.codecs.get()).finalize()
    let new = try ImageSource(Bytes(file.bytes), path: "a")
    #expect(new.type == type)
    #expect(new.properties.orientation == 1)
    #expect(new.metadata().locations.first?.value.coordinate.latitude == 35.0116)
    let stored = try #require(photo.properties.pixelSize)
    #expect(file.pixelSize == stored.turned)
    let png = scratch.url.appending(path: "a.png")
    let made = try scratch.write(file.bytes, as: "a.heif")
    #expect(try Oracle.run("heif-convert", [made.path, png.path]).status == 0)
    let straight = Corpus.shared.appending(path: "corpus/jpeg-orientation/Landscape_1.jpg")
    #expect(try Raster(png).attributeSource(to: Raster(straight)) > 25)
  }

  @Test(
    "EXIF, XMP, IPTC and the colour profile are copied from HEIC to AVIF.",
    .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence)"))
  func metadata() throws {
    let scratch = try Scratch()
    let original = Corpus.shared.appending(path: "corpus/heic/L_exif_xmp_iptc.heic")
    let file = try ImageDestination(.avif, of: ImageSource(original.filePath), codecs: Self.codecs.get()).finalize()
    let made = try scratch.write(file.bytes, as: "a.avif")
    let tags = try [original, made].map { file in
      try Oracle.run("exiftool", ["-a", "-G1", "-s", "-EXIF:all", "-XMP:all", "-IPTC:all", file.path]).text
        .split(separator: "\n").filter {
          !$0.contains("Orientation") && !$0.contains("ImageHeight") && !$0.contains("ImageWidth")
        }
    }
    #expect(!tags[0].isEmpty)
    #expect(tags[0] == tags[1])
  }

  @Test(
    "A decoder that takes too long is stopped, and the next picture gets a new one.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func late() throws {
    let codecs = try Self.codecs.get()
    let image = try ImageSource(Corpus.shared.appending(path: "corpus/heic/200MP.heic").filePath)
    let large = try PictureSource(image, to: .jpeg)
    let started = ContinuousClock.now
    #expect(throws: FileError(.decoderTimedOut, "the decoder timed out and was terminated")) {
      try codecs.inTurn(blocking: { turn throws(FileError) in
        try turn.recode(large.bytes, large.recoding, within: .milliseconds(300))
      })
    }
    #expect(ContinuousClock.now - started < .seconds(10))
    let small = try ImageSource(Corpus.shared.appending(path: "corpus/heic/12.heic").filePath)
    #expect(try !small.jpegCopy(quality: 90, codecs: codecs).bytes.isEmpty)
  }

  @Test(
    "A picture with an enormous size is refused before it is decoded.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func bomb() throws {
    let source = try FileSource(Corpus.shared.appending(path: "corpus/heic/12.heic").filePath)
    var bytes = try source.bytes(0..<source.count).array
    let size = Array("ispe".utf8) + [0, 0, 0, 0]
    let found = try #require(Bytes(bytes).firstIndex(of: size)) + size.count
    bytes.replaceSubrange(found..<found + 8, with: UInt32(30_000).bytes(.big) + UInt32(30_000).bytes(.big))
    let error = #expect(throws: FileError.self) {
      try ImageSource(Bytes(bytes), path: "a").jpegCopy(quality: 90, codecs: Self.codecs.get())
    }
    #expect(error?.kind != .io)
  }
}
