import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Thumbnails", .enabled(if: Corpus.isThere && Oracle.has("ffmpeg"), "\(Corpus.absence), or ffmpeg is missing"))
struct ThumbnailTests {
  static let codecs = Result { try PictureCodecs() }

  @Test("A photo that is stored rotated gets an upright thumbnail.", arguments: 2...8)
  func upright(orientation: Int) throws {
    let scratch = try Scratch()
    let rasters = try [1, orientation].map { number in
      let photo = Corpus.shared.appending(path: "corpus/jpeg-orientation/Landscape_\(number).jpg")
      let thumbnail = try ImageSource(photo.filePath).thumbnail(maxPixels: 300, codecs: Self.codecs.get())
      #expect(!thumbnail.isDegraded)
      #expect(max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == 300)
      return try Raster(try scratch.write(thumbnail.jpeg, as: "\(number).jpg"))
    }
    #expect(rasters[0].attributeSource(to: rasters[1]) > 25)
  }

  @Test("The embedded preview comes first, and the decoded picture last.", arguments: ["Canon.HIF", "example.heic"])
  func degraded(name: String) throws {
    let photo = try ImageSource(Corpus.shared.appending(path: "corpus/heic/" + name).filePath)
    var first: [Thumbnail] = []
    let codecs = try Self.codecs.get()
    let last = try photo.thumbnail(maxPixels: 1_000, codecs: codecs) { first.append($0) }
    #expect(first.map(\.isDegraded) == [true] && !last.isDegraded)
    #expect(max(last.pixelSize.width, last.pixelSize.height) == 1_000)
    // The embedded preview is large enough, so nothing comes before it.
    var none: [Thumbnail] = []
    let small = try photo.thumbnail(maxPixels: 100, codecs: codecs) { none.append($0) }
    #expect(none.isEmpty && !small.isDegraded && max(small.pixelSize.width, small.pixelSize.height) == 100)
  }

  @Test("Without a decoder the preview in EXIF is returned; without a preview, an error.")
  func missing() throws {
    let codecs = try Self.codecs.get().without(decoding: [.hevc])
    let folder = Corpus.shared.appending(path: "corpus/heic")
    let preview = try ImageSource(folder.appending(path: "xiaomi.heic").filePath)
      .thumbnail(maxPixels: 2_000, codecs: codecs)
    #expect(preview.isDegraded)
    #expect(throws: FileError(.noDecoder, "no decoder for HEVC is installed")) {
      try ImageSource(folder.appending(path: "12.heic").filePath).thumbnail(maxPixels: 100, codecs: codecs)
    }
  }

  @Test("Cancelling doesn't wait for the decoder.")
  func cancelling() async throws {
    let codecs = try Self.codecs.get()
    let photo = try ImageSource(Corpus.shared.appending(path: "corpus/heic/200MP.heic").filePath)
    let begun = DispatchSemaphore(value: 0)
    let cancelled = Mutex(ContinuousClock.now)
    let task = Task { () async -> (error: FileError, waited: Duration)? in
      begun.signal()
      do throws(FileError) {
        _ = try photo.thumbnail(maxPixels: 4_000, codecs: codecs)
        return nil
      } catch {
        return (error, cancelled.withLock { $0.duration(to: .now) })
      }
    }
    // Not from a task, because all tasks may be waiting for decoders.
    DispatchQueue.global().async {
      begun.wait()
      usleep(300_000)
      cancelled.withLock { $0 = .now }
      task.cancel()
    }
    let answer = try #require(await task.value)
    #expect(answer.error == FileError(.cancelled, "was cancelled"))
    #expect(answer.waited < .seconds(10))
  }
}
