import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Files that hold several images.
@Suite("Several images in a file")
struct SeveralImagesTests {
  @Test(
    "Views, pages and frames are counted, and each has its own properties.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    var kinds: Set<String> = []
    for url in ["mpo", "jpeg-special", "tiff", "webp", "avif", "heic", "png", "gif"].flatMap({
      Corpus.files("corpus/" + $0)
    }) {
      guard let image = try? ImageSource(url.filePath) else { continue }
      let (whole, count) = (image.properties, image.count)
      let images = try (0..<count).map { try image.properties(at: $0) }
      let error = #expect(throws: FileError.self) { try image.properties(at: count) }
      #expect(error?.code == .noSuchImage)
      guard whole.mediaKind == .animatedImage else {
        #expect(count == whole.imageCount, "\(url.path)")
        if count > 1 { kinds.insert("\(whole.type) images") }
        #expect(images.isEmpty || images[0].pixelSize == whole.pixelSize, "\(url.path)")
        continue
      }
      kinds.insert("\(whole.type) frames")
      #expect(count == whole.frameCount, "\(url.path)")
      if let duration = whole.duration {
        let sum = images.compactMap(\.duration).reduce(.zero, +)
        #expect(abs((sum - duration) / .milliseconds(1)) < 1, "\(url.path)")
      }
    }
    #expect(
      kinds.isSuperset(of: ["jpeg images", "tiff images", "webp frames", "avif frames"]), "\(kinds.sorted())")
  }

  @Test(
    "Pages and views have the sizes that exiftool reads.",
    .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or no exiftool"))
  func sizes() throws {
    let tiff = try #require(Corpus.files("corpus/tiff").first { $0.lastPathComponent == "multipage.tiff" })
    let text = try Oracle.run("exiftool", ["-a", "-G1", "-s", "-ImageWidth", "-ImageHeight", tiff.path]).text
    let widths = text.split(separator: "\n").filter { $0.hasPrefix("[IFD") && $0.contains("ImageWidth") }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    let image = try ImageSource(tiff.filePath)
    #expect(try (0..<image.count).map { try image.properties(at: $0).pixelSize?.width } == widths)
  }

  @Test("A single picture has one image; a movie and a sidecar have none.")
  func single() throws {
    for (name, count) in [("aurora-01-jetty.jpg", 1), ("borealis-07-swans.mp4", 0), ("borealis-06-ferns.xmp", 0)] {
      let image = try ImageSource(Corpus.project.appending(path: "SampleImages/" + name).filePath)
      #expect(image.count == count)
    }
  }

  @Test("Frames of a GIF have their own sizes and delays.")
  func gif() throws {
    func frame(_ side: UInt8, _ delay: UInt8) -> [UInt8] {
      [0x21, 0xF9, 4, 0, delay, 0, 0, 0, 0x2C, 0, 0, 0, 0, side, 0, side, 0, 0, 2, 2, 0x44, 1, 0]
    }
    let head = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let image = try ImageSource(bytes: head + frame(2, 10) + frame(1, 25) + [0x3B])
    let frames = try (0..<image.count).map { try image.properties(at: $0) }
    #expect(frames.map(\.pixelSize) == [PixelSize(width: 2, height: 2), PixelSize(width: 1, height: 1)])
    #expect(frames.map(\.duration) == [.milliseconds(100), .milliseconds(250)])
  }
}
