import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Thumbnails of every format", .enabled(if: Oracle.has("ffmpeg"), "ffmpeg is missing"))
struct ThumbnailFormatTests {
  static let samples = Corpus.project.appending(path: "SampleImages")

  @Test(
    "Pixels are those that another decoder finds.",
    arguments: [
      ("rgb.png", ["-pix_fmt", "rgb24"]), ("grey.png", ["-pix_fmt", "gray"]), ("palette.png", ["-pix_fmt", "pal8"]),
      ("deep.png", ["-pix_fmt", "rgb48be"]), ("alpha.png", ["-pix_fmt", "rgba"]), ("black.png", ["-pix_fmt", "monob"]),
      ("a.tif", ["-compression_algo", "raw"]), ("lzw.tif", ["-compression_algo", "lzw"]),
      ("deflate.tif", ["-compression_algo", "deflate"]), ("grey.tif", ["-pix_fmt", "gray"]),
      ("deep.tif", ["-pix_fmt", "rgb48le"]), ("alpha.tif", ["-pix_fmt", "rgba"]),
      ("lossless.webp", ["-lossless", "1"]), ("lossy.webp", ["-quality", "90"]),
      ("a.gif", []), ("a.jpg", ["-q:v", "2"]),
    ])
  func pixels(name: String, options: [String]) async throws {
    let scratch = try Scratch()
    let file = scratch.url.appending(path: name)
    let made = try Oracle.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=150x100:rate=1", "-frames:v", "1"] + options + [file.path])
    try #require(made.status == 0, "\(made.errors)")
    let image = try ImageSource(file.filePath)
    let thumbnail = try await image.thumbnail(.maxPixels(1_000), codecs: ThumbnailTests.codecs.get())
    #expect(thumbnail.pixelSize == PixelSize(width: 150, height: 100) && !thumbnail.isDegraded)
    // Lossy pictures depend on how a decoder interpolates colours.
    let isLossy = ["lossy.webp", "a.jpg"].contains(name)
    #expect(Raster(thumbnail.pixels).attributeSource(to: try Raster(file)) > (isLossy ? 20 : 45))
  }

  @Test(
    "A JPEG XL picture has the pixels and the direction that libjxl's own program finds.",
    .enabled(if: Corpus.isThere && Oracle.has("djxl"), "\(Corpus.absence), or djxl is missing"),
    arguments: ["input.jxl", "input__2.jxl", "input__3.jxl", "input__5.jxl", "test_0001.jxl"])
  func jxl(name: String) async throws {
    let scratch = try Scratch()
    let file = Corpus.shared.appending(path: "corpus/jxl/" + name)
    let png = scratch.url.appending(path: "a.png")
    try #require(try Oracle.run("djxl", [file.path, png.path]).status == 0)
    let thumbnail = try await ImageSource(file.filePath)
      .thumbnail(.maxPixels(65_535), codecs: ThumbnailTests.codecs.get())
    let theirs = try Raster(png)
    // Colours of another profile are converted, or have the profile.
    #expect(thumbnail.pixelSize == PixelSize(width: theirs.width, height: theirs.height))
    #expect(Raster(thumbnail.pixels).attributeSource(to: theirs) > 20)
  }

  @Test("Every sample still has a thumbnail, or a code.")
  func stills() async throws {
    let types: Set = [
      "jpg", "tif", "jxl", "heic", "avif", "png", "webp", "gif", "nef", "cr2", "rw2", "raf", "x3f", "crw",
    ]
    let folders = [Self.samples, Self.samples.appending(path: "raw")]
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    #expect(Set(files.map(\.pathExtension)).isSuperset(of: types))
    for file in files where !["xmp", "gpx", "md", ""].contains(file.pathExtension) {
      let image = try ImageSource(file.filePath)
      do {
        let thumbnail = try await image.thumbnail(.maxPixels(100), codecs: ThumbnailTests.codecs.get())
        #expect(max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == 100, "\(file.lastPathComponent)")
      } catch let error as FileError {
        #expect(!types.contains(file.pathExtension) && error.code == .noDecoder, "\(file.lastPathComponent): \(error)")
      }
    }
  }

  /// One pixel.
  private static let transparentGIF: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x21, 0xF9, 4, 1, 0, 0, 0, 0]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  @Test(
    "A transparent picture keeps its alpha in pixels, and is on white in a JPEG.", arguments: ["png", "webp", "gif"])
  func transparency(format: String) async throws {
    let scratch = try Scratch()
    let file = try scratch.write(Self.transparentGIF, as: "a." + format)
    let options = format == "webp" ? ["-lossless", "1"] : []
    if format != "gif" {
      let source = ["-f", "lavfi", "-i", "color=red@0.0:size=64x64,format=rgba", "-frames:v", "1"]
      let made = try Oracle.run("ffmpeg", ["-y", "-v", "error"] + source + options + [file.path])
      try #require(made.status == 0, "\(made.errors)")
    }
    let thumbnail = try await ImageSource(file.filePath).thumbnail(.maxPixels(32), codecs: ThumbnailTests.codecs.get())
    #expect(stride(from: 3, to: thumbnail.pixels.bytes.count, by: 4).allSatisfy { thumbnail.pixels.bytes[$0] == 0 })
    let jpeg = try Raster(try scratch.write(try await thumbnail.jpeg(), as: "a.jpg"))
    #expect(jpeg.samples.allSatisfy { $0 > 250 })
  }

  @Test("The ICC profile of a file goes with its pixels.")
  func profile() async throws {
    for name in ["png/exiv2-bug922.png", "tiff/tif-with-iptc-icc-xmp.tif"] where Corpus.isThere {
      let image = try ThumbnailTests.image(name)
      let thumbnail = try await image.thumbnail(.maxPixels(400), codecs: ThumbnailTests.codecs.get())
      #expect(thumbnail.pixels.profile.isEmpty == (image.properties.profileName == nil), "\(name)")
    }
  }

  @Test(
    "A small file that claims an enormous picture is refused before it is decoded.",
    arguments: ["png", "gif", "tif", "webp"])
  func bombs(format: String) async throws {
    let file = try #require(
      try FileManager.default.contentsOfDirectory(at: Self.samples, includingPropertiesForKeys: nil)
        .first { $0.pathExtension == format })
    var bytes = [UInt8](try Data(contentsOf: file))
    switch format {
    case "gif": bytes.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
    case "png":
      bytes.replaceSubrange(16..<24, with: UInt32(60_000).bytes(.big) + UInt32(60_000).bytes(.big))
    case "tif":
      let block = try TIFFBlock(Bytes(bytes), 0..<bytes.count)
      for tag: UInt16 in [256, 257] {
        let entry = try #require(block.ifd0[tag]?.value)
        let isShort = entry.count == 2
        let side = isShort ? UInt16(60_000).bytes(block.order) : UInt32(60_000).bytes(block.order)
        bytes.replaceSubrange(entry, with: side)
      }
    default:
      // The canvas of the extended form; the picture in it has another size.
      let at = try #require(Bytes(bytes).firstIndex(of: Array("VP8X".utf8)))
      bytes.replaceSubrange(at + 12..<at + 18, with: [0xFF, 0x3F, 0, 0xFF, 0x3F, 0])
    }
    let error = await #expect(throws: FileError.self) {
      try await ImageSource(bytes: bytes).thumbnail(.maxPixels(100), codecs: ThumbnailTests.codecs.get())
    }
    #expect(error?.code != .decoderCrashed && error?.code != .decoderTimedOut)
  }

  @Test(
    "No hostile file crashes or blocks a decoder.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func hostile() async throws {
    let codecs = try ThumbnailTests.codecs.get()
    for file in Corpus.files("malformed") {
      guard let image = try? ImageSource(file.filePath) else { continue }
      do {
        _ = try await image.thumbnail(.maxPixels(100), codecs: codecs)
      } catch let error as FileError {
        #expect(error.code != .decoderCrashed && error.code != .decoderTimedOut, "\(file.lastPathComponent)")
      }
    }
  }
}
