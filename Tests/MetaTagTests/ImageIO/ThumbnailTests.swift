import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Basics
@testable import Decoding
@testable import MetaTag

@Suite("Thumbnails", .enabled(if: Corpus.isThere && Oracle.has("ffmpeg"), "\(Corpus.absence), or ffmpeg is missing"))
struct ThumbnailTests {
  static let codecs = Result { try PictureCodecs() }

  static func image(_ name: String) throws -> ImageSource {
    try ImageSource(Corpus.shared.appending(path: "corpus/" + name).filePath)
  }

  @Test("A photo that is stored rotated gets an upright thumbnail.", arguments: 2...8)
  func upright(orientation: Int) async throws {
    let scratch = try Scratch()
    var rasters: [Raster] = []
    for number in [1, orientation] {
      let thumbnail = try await Self.image("jpeg-orientation/Landscape_\(number).jpg")
        .thumbnail(.maxPixels(300), codecs: Self.codecs.get())
      #expect(!thumbnail.isDegraded)
      #expect(max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == 300)
      let pixels = Raster(thumbnail.pixels)
      let encoded = try Raster(try scratch.write(try await thumbnail.jpeg(), as: "\(number).jpg"))
      #expect(pixels.attributeSource(to: encoded) > 30)
      rasters.append(pixels)
    }
    #expect(rasters[0].attributeSource(to: rasters[1]) > 25)
  }

  @Test(
    "A thumbnail fits into a rectangle or fills it, also of a photo that is stored rotated, and isn't enlarged.",
    arguments: [
      // The photos have 1800 × 1200 pixels.
      ("Landscape_1", PictureScaling.maxPixels(200), 200, 133), ("Landscape_6", .maxPixels(200), 200, 133),
      ("Landscape_1", .fitting(size(300, 60)), 90, 60), ("Landscape_6", .fitting(size(300, 60)), 90, 60),
      ("Landscape_1", .filling(size(300, 60)), 300, 200), ("Landscape_6", .filling(size(300, 60)), 300, 200),
      ("Landscape_6", .filling(size(10, 90)), 135, 90), ("Landscape_6", .filling(size(2_000, 10)), 1_800, 1_200),
      ("Landscape_1", .maxPixels(9_000), 1_800, 1_200), ("Landscape_1", .maxPixels(0), 1, 1),
    ])
  func scaling(name: String, scaling: PictureScaling, width: Int, height: Int) async throws {
    let image = try Self.image("jpeg-orientation/\(name).jpg")
    let thumbnail = try await image.thumbnail(scaling, codecs: Self.codecs.get())
    #expect(thumbnail.pixelSize == Self.size(width, height) && !thumbnail.isDegraded)
    #expect(thumbnail.pixels.bytes.count == height * thumbnail.pixels.bytesPerRow)
    let stored = try #require(image.properties.pixelSize)
    let upright = (image.properties.orientation ?? 1) > 4 ? stored.turned : stored
    #expect(scaling.size(of: upright) == thumbnail.pixelSize)
  }

  @Test("The embedded preview comes first, and the decoded picture last.", arguments: ["Canon.HIF", "example.heic"])
  func degraded(name: String) async throws {
    let photo = try Self.image("heic/" + name)
    var first: [Thumbnail] = []
    let codecs = try Self.codecs.get()
    let last = try await photo.thumbnail(.maxPixels(1_000), codecs: codecs) { first.append($0) }
    #expect(first.map(\.isDegraded) == [true] && !last.isDegraded)
    #expect(max(last.pixelSize.width, last.pixelSize.height) == 1_000)
    let only = try await photo.thumbnail(.maxPixels(1_000), from: .embedded, codecs: codecs)
    #expect(only.pixels == first.first?.pixels && only.isDegraded)
    // The embedded preview is large enough, so nothing comes before it, unless it has bars.
    var before: [Thumbnail] = []
    let small = try await photo.thumbnail(.maxPixels(100), codecs: codecs) { before.append($0) }
    #expect(
      before.count == (name == "Canon.HIF" ? 1 : 0) && !small.isDegraded
        && max(small.pixelSize.width, small.pixelSize.height) == 100)
  }

  @Test("A preview that shows another part of the picture, or has bars, is used only if the picture can't be decoded.")
  func proportions() async throws {
    // 484 × 504 pixels were cut out of a photo of 3:2, whose preview stayed.
    let image = try Self.image("png/flower_small.rgb.png")
    let codecs = try Self.codecs.get()
    #expect(try await image.thumbnail(.maxPixels(100), codecs: codecs).pixelSize == Self.size(96, 100))
    let preview = try await image.thumbnail(.maxPixels(100), from: .embedded, codecs: codecs)
    #expect(preview.isDegraded && preview.pixelSize.height < 80)
    let other = try await image.thumbnail(.maxPixels(100), codecs: codecs.without(decoding: [.png]))
    #expect(other.pixels == preview.pixels)
  }

  @Test("Without a decoder the preview in EXIF is returned; without a preview, an error.")
  func missing() async throws {
    let codecs = try Self.codecs.get().without(decoding: [.hevc])
    let preview = try await Self.image("heic/xiaomi.heic").thumbnail(.maxPixels(2_000), codecs: codecs)
    #expect(preview.isDegraded)
    await #expect(throws: FileError(.noDecoder, "no decoder for HEVC is installed")) {
      try await Self.image("heic/12.heic").thumbnail(.maxPixels(100), codecs: codecs)
    }
  }

  @Test(
    "A movie has the thumbnail that it embeds, and no other.",
    arguments: [("uuid540.mp4", 960 as Int?), ("QuickTime.mov", 8), ("sample.mp4", nil)])
  func movies(name: String, side: Int?) async throws {
    let movie = try Self.image("mov/" + name)
    let codecs = try Self.codecs.get()
    guard let side else {
      let error = await #expect(throws: FileError.self) { try await movie.thumbnail(.maxPixels(100), codecs: codecs) }
      #expect(error?.code == .noDecoder)
      return
    }
    let thumbnail = try await movie.thumbnail(.maxPixels(5_000), codecs: codecs)
    #expect(max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == side && thumbnail.isDegraded)
  }

  @Test(
    "If only the preview is wanted, a picture without one is not decoded.",
    arguments: ["webp/webpvp8.webp", "heic/12.heic"])
  func embedded(name: String) async throws {
    let error = await #expect(throws: FileError.self) {
      try await Self.image(name).thumbnail(.maxPixels(100), from: .embedded, codecs: Self.codecs.get())
    }
    #expect(error?.code == .noPreview)
  }

  @Test("Cancelling doesn't wait for the decoder.")
  func cancelling() async throws {
    // It greets like the real one, and never answers.
    let folder = try Scratch()
    let greeting = ([0, 12, CodecWire.version, .max, .max] as [UInt32]).flatMap { $0.bytes(.little) }
      .map { "\\" + String($0, radix: 8) }.joined()
    let script = try folder.write(Data("#!/bin/sh\nprintf '\(greeting)' >&0\nexec sleep 3600\n".utf8), as: "script")
    try folder.install(script, as: "metatag-pictures")
    let deaf = try await PictureCodecs(programs: CodecPrograms(in: FilePath(folder.url.path)))
    let (codecs, photo) = (try Self.codecs.get(), try Self.image("heic/200MP.heic"))
    // More tasks than decoders: some are decoding, some wait for their turn.
    let tasks = [deaf, deaf, codecs, codecs, deaf, deaf, codecs, codecs].map { codecs in
      // On threads of their own, so that the time isn't that of other tests.
      Task(executorPreference: BlockingThreads.shared) { () -> ContinuousClock.Instant in
        await #expect(throws: CancellationError.self) {
          try await photo.thumbnail(.maxPixels(4_000), codecs: codecs)
        }
        return .now
      }
    }
    // Other tests may block all of Swift's threads until these decoders are free.
    let cancelling = Task(executorPreference: BlockingThreads.shared) { () -> ContinuousClock.Instant in
      try await Task.sleep(for: .milliseconds(300))
      for task in tasks { task.cancel() }
      return .now
    }
    let cancelled = try await cancelling.value
    for task in tasks { #expect(await cancelled.duration(to: task.value) < .seconds(10)) }
    // A task that is cancelled before it starts, and the next one, which isn't disturbed.
    let late = Task {
      try? await Task.sleep(for: .seconds(60))
      return try await photo.thumbnail(.maxPixels(100), codecs: codecs)
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(try await !Self.image("heic/12.heic").thumbnail(.maxPixels(100), codecs: codecs).isDegraded)
  }

  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height) ?? .smallest
  }
}

extension Raster {
  /// The colours of pixels, on black if they are transparent.
  init(_ pixels: PixelBuffer) {
    let samples = pixels.bytes.indices.compactMap { index in
      index % 4 == 3 ? nil : UInt8(Int(pixels.bytes[index]) * Int(pixels.bytes[index | 3]) / 255)
    }
    self.init(width: pixels.size.width, height: pixels.size.height, samples: samples)
  }
}
