import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ImageFormats
@testable import MetaTag

@Suite("Image properties")
struct ImagePropertiesTests {
  private func properties(_ photo: Bytes) throws -> ImageProperties {
    try ImageSource(photo, path: "photo").properties
  }

  private func properties(ofSample name: String) throws -> ImageProperties {
    try ImageSource(FilePath(Corpus.project.appending(path: "SampleImages/\(name)").path)).properties
  }

  @Test(
    "A JPEG's size is read from its frame, and its orientation and density from EXIF.",
    arguments: [(2, 72), (3, 182.88)])
  func jpeg(unit: UInt16, density: Double) throws {
    let ifd0: [UInt16: TIFFValue] = [
      0x0112: .short([6]), 0x011A: .rational([Rational(72, 1)]), 0x011B: .rational([Rational(36, 1)]),
      0x0128: .short([unit]),
    ]
    let photo = try properties(Sample.jpeg(Sample.exif(Sample.tiff(ifd0: ifd0))))
    #expect(photo.type == .jpeg && photo.pixelSize == PixelSize(width: 32, height: 24) && photo.orientation == 6)
    #expect(photo.mediaKind == .image && photo.playbackStyle == .image && photo.imageCount == 1)
    #expect(photo.codec == "jpeg" && photo.hasAlpha == false)
    let found = try #require(photo.density)
    #expect(abs(found.horizontal - density) < 1e-9 && abs(found.vertical - density / 2) < 1e-9)
  }

  @Test("A TIFF's size is that of its first image, not of a thumbnail.", arguments: [(0, 8), (1, nil)])
  func tiff(subfileType: UInt32, width: Int?) throws {
    let ifd0: [UInt16: TIFFValue] = [
      0x00FE: .long([subfileType]), 0x0100: .short([8]), 0x0101: .long([4]), 0x0102: .short([16, 16, 16]),
      0x0103: .short([5]), 0x0106: .short([2]), 0x0152: .short([2]),
    ]
    let photo = try properties(Bytes(Sample.tiff(ifd0: ifd0)))
    #expect(photo.type == .tiff && photo.pixelSize == width.flatMap { PixelSize(width: $0, height: 4) })
    #expect(photo.orientation == nil)
    guard width != nil else { return }
    #expect(photo.bitDepth == 16 && photo.codec == "lzw" && photo.colorModel == .rgb && photo.hasAlpha == true)
  }

  @Test(
    "The sample of each format has its size, depth and coding.",
    arguments: [
      ("aurora-01-jetty.jpg", "jpeg"), ("aurora-07-church.avif", "av01"), ("borealis-06-ferns.tif", nil),
      ("borealis-07-swans.mp4", "avc1"), ("borealis-08-ducks.3gp", nil), ("borealis-09-moss.jxl", "jxl"),
      ("cirrus-01-boat.heic", "hvc1"), ("cirrus-01-boat.mov", nil), ("cirrus-04-signpost.png", "deflate"),
      ("cirrus-05-rapids.webp", "vp8"), ("cirrus-06-ducks.gif", "lzw"),
    ])
  func samples(name: String, codec: String?) throws {
    let photo = try properties(ofSample: name)
    #expect(photo.pixelSize != nil && photo.colorModel != nil && photo.bitDepth != nil, "\(photo)")
    if let codec { #expect(photo.codec == codec) }
    #expect(photo.type.isMovie == (photo.mediaKind == .movie) && photo.type.isMovie == (photo.imageCount == 0))
    #expect(photo.type.isMovie == (photo.frameRate != nil))
  }

  @Test("A photo is the same by its path, its URL, a descriptor and in memory.")
  func sources() throws {
    let url = Corpus.project.appending(path: "SampleImages/cirrus-01-boat.heic")
    let file = try ImageSource(FilePath(url.path))
    let descriptor = try FileDescriptor.open(FilePath(url.path), .readOnly)
    try descriptor.seek(offset: 100, from: .start)
    let opened = try ImageSource(fileDescriptor: descriptor)
    #expect(try descriptor.seek(offset: 0, from: .current) == 100)
    try descriptor.close()
    for other in [opened, try ImageSource(url: url), try ImageSource(bytes: Array(Data(contentsOf: url)))] {
      #expect(other.properties == file.properties && other.metadata() == file.metadata())
    }
    #expect(file.path == FilePath(url.path) && opened.path.isEmpty)
    let web = try #require(URL(string: "https://example.org/a.jpg"))
    #expect(throws: FileError.self) { try ImageSource(url: web) }
    #expect(throws: FileError.self) { try ImageSource(fileDescriptor: FileDescriptor(rawValue: 9_999)) }
  }

  @Test("A movie has a duration, frames and a rate that fit each other.")
  func movie() throws {
    let movie = try properties(ofSample: "borealis-07-swans.mp4")
    #expect(movie.duration == .seconds(2) && movie.frameCount == 24 && movie.frameRate == 12)
    #expect(movie.playbackStyle == .video && movie.orientation == 1)
  }

  @Test("The still of a Live Photo is one, and its movie is a movie.")
  func livePhoto() throws {
    #expect(try properties(ofSample: "cirrus-01-boat.heic").mediaKind == .livePhoto)
    #expect(try properties(ofSample: "cirrus-01-boat.mov").mediaKind == .movie)
  }

  @Test(
    "Pictures that are not photos are marked by EXIF.",
    arguments: [
      (0, []), (3, [.hdr]), (6, [.panorama]), (7, [.hdr, .portrait]), (8, [.portrait]),
    ] as [(UInt16, Set<MediaSubtype>)])
  func customRendered(value: UInt16, subtypes: Set<MediaSubtype>) throws {
    let exif: [UInt16: TIFFValue] = [
      0xA401: .short([value]), 0x9286: .undefined(Array("ASCII\0\0\0Screenshot".utf8)),
    ]
    let photo = try properties(Sample.jpeg(Sample.exif(Sample.tiff(exif: exif))))
    #expect(photo.subtypes == subtypes.union([.screenshot]))
  }

  @Test("Depth maps, bursts and motion photos are found by XMP; a gain map must be in the file.")
  func marks() throws {
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:BurstID="abc-1" \
      xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" GCamera:MotionPhoto="1" \
      xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Format="RangeInverse"/></rdf:RDF></x:xmpmeta>
      """
    let photo = try properties(Sample.jpeg(JPEGSegment.bytes(0xE1, JPEGSegment.xmpHeader + Array(xmp.utf8))))
    #expect(photo.burstIdentifier == "abc-1" && photo.mediaKind == .livePhoto && photo.playbackStyle == .livePhoto)
    #expect(photo.auxiliaryImages == [.depth] && photo.subtypes == [.burst])
  }

  @Test(
    "The length of a fragmented movie is that of its fragments; damaged ones are left out.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func fragments() throws {
    let file = Corpus.shared.appending(path: "corpus/mov/sample_fragmented.mp4")
    let movie = try ImageSource(file.filePath).properties
    // ffprobe: 1.209592 s, 10 frames per second.
    #expect(movie.frameCount == 10 && movie.frameRate == 10)
    #expect(abs((movie.duration ?? .zero) / .seconds(1) - 1.209592) < 0.001)
    var bytes = Array(try Data(contentsOf: file))
    // Runs that say that they have many samples, and fields that aren't there.
    for index in bytes.indices.dropLast(12) where bytes[index..<index + 4].elementsEqual("trun".utf8) {
      bytes.replaceSubrange(index + 4..<index + 12, with: [0, 0, 0x0F, 0x05, 0xFF, 0xFF, 0xFF, 0xFF])
    }
    _ = try ImageSource(bytes: bytes).properties
  }

  @Test("Frames of a GIF have a sum of delays, and a transparent colour.")
  func gif() throws {
    let frame: [UInt8] = [0x21, 0xF9, 4, 1, 25, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let animation = try properties(Bytes(head + frame + frame + [0x3B]))
    #expect(animation.mediaKind == .animatedImage && animation.frameCount == 2)
    #expect(animation.duration == .milliseconds(500) && animation.hasAlpha == true)
    #expect(animation.playbackStyle == .imageAnimated)
    let still = try properties(Bytes(head + frame + [0x3B]))
    #expect(still.mediaKind == .image && still.frameCount == nil && still.duration == nil)
  }

  @Test(
    "A track's matrix is an orientation.",
    arguments: [
      ([1, 0, 0, 1], 1), ([0, 1, -1, 0], 6), ([-1, 0, 0, -1], 3), ([0, -1, 1, 0], 8), ([2, 0, 0, 2], nil),
    ] as [([Int32], Int?)])
  func rotation(matrix: [Int32], orientation: Int?) throws {
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/borealis-07-swans.mp4"))
    var bytes = Array(sample)
    let one = [0, 1, 0, 0] as [UInt8]
    let zero = [0, 0, 0, 0] as [UInt8]
    // The identity in the track's header: 1, 0, 0, 0, 1, 0, 0, 0, 1 (of which the last has 30 bits after the point).
    let identity = one + zero + zero + zero + one + zero + zero + zero + [0x40, 0, 0, 0]
    let places = bytes.indices.filter { bytes[$0...].starts(with: identity) }
    #expect(places.count >= 2)
    for place in places.dropFirst() {
      for (index, at) in zip(0..<4, [0, 4, 12, 16]) {
        bytes.replaceSubrange(place + at..<place + at + 4, with: UInt32(bitPattern: matrix[index] << 16).bytes(.big))
      }
    }
    #expect(try properties(Bytes(bytes)).orientation == orientation)
  }

  @Test("No real file's properties contradict each other.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    var count = 0
    let sized: Set<ImageType> = [.jpeg, .png, .gif, .webp, .heic, .avif, .jxl]
    for file in Corpus.files("corpus") {
      guard let image = try? ImageSource(FilePath(file.path)) else { continue }
      let photo = image.properties
      count += 1
      #expect(photo.type == image.type)
      if let duration = photo.duration { #expect(duration > .zero && duration < .seconds(100_000), "\(file.path)") }
      if let depth = photo.bitDepth { #expect((1...64).contains(depth), "\(file.path): \(depth)") }
      #expect(photo.pixelSize != nil || !sized.contains(photo.type), "\(file.path)")
    }
    #expect(count > 100)
  }
}
