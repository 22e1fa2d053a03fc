import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "JPEG copies of HEIF files",
  .enabled(
    if: Corpus.isThere && ["heif-convert", "ffmpeg", "exiftool"].allSatisfy(Oracle.has),
    "\(Corpus.absence), or heif-convert, ffmpeg or exiftool is missing"))
struct JPEGCopyTests {
  /// Pictures of at most some megapixels, of every kind: grids, overlays, rotated, mirrored, 10 bits, 4:4:4, 4:2:2,
  /// stereo.
  static let pictures = [
    "heic/C002.heic", "heic/C003.heic", "heic/C020.heic", "heic/C022.heic",
    "heic/MIAF001.heic", "heic/MIAF002.heic", "heic/RGB_10__29x100.heif", "heic/example.heic", "heic/image4.heic",
    "heic/xiaomi.heic", "heic/Canon.HIF", "heic/exif.heic", "avif/Irvine_CA.avif",
    "avif/Ronda_rotate90.avif", "avif/kimono.mirror-horizontal.avif", "avif/kimono.rotate90.avif",
    "avif/paris_icc_exif_xmp.avif", "avif/sofa_grid1x5_420.avif", "avif/white_1x1.avif", "avif/exif.avif",
    "avif/cosmos1650_yuv444_10bpc_p3pq.avif", "avif/seine_sdr_gainmap_srgb.avif",
  ]

  static func image(_ name: String) throws -> ImageSource {
    try ImageSource(Corpus.shared.appending(path: "corpus/" + name).filePath)
  }

  static let codecs = Result { try PictureCodecs() }

  // heif-convert can't write image4.heic, because libpng rejects its profile.
  @Test("The pixels are those that heif-convert decodes.", arguments: pictures.filter { $0 != "heic/image4.heic" })
  func pixels(name: String) throws {
    let scratch = try Scratch()
    let copy = try Self.image(name).jpegCopy(quality: 95, codecs: Self.codecs.get())
    let ours = try Raster(try scratch.write(copy.bytes, as: "ours.jpg"))
    let png = scratch.url.appending(path: "theirs.png")
    let converted = try Oracle.run(
      "heif-convert", [Corpus.shared.appending(path: "corpus/" + name).path, png.path])
    try #require(converted.status == 0, "\(converted.errors)")
    // For several pictures it writes several files, one of which is the primary.
    let theirs = try FileManager.default.contentsOfDirectory(at: scratch.url, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "png" }
    let likenesses = try theirs.map { ours.attributeSource(to: try Raster($0)) }
    #expect(likenesses.contains { $0 > 34 }, "\(name): \(likenesses)")
  }

  @Test("Pictures of new iPhones, which libheif refuses, are decoded.")
  func highDynamicRange() throws {
    let copy = try Self.image("heic/IMG_3853.HEIC").jpegCopy(quality: 95, codecs: Self.codecs.get())
    #expect(copy.losses.contains { $0.sentence == "the gain map (HDR)" })
    let scratch = try Scratch()
    let raster = try Raster(try scratch.write(copy.bytes, as: "a.jpg"))
    #expect(raster.width * raster.height > 1_000_000)
  }

  @Test("exiftool reads the same tags as in the original.", arguments: pictures)
  func metadata(name: String) throws {
    let scratch = try Scratch()
    let original = Corpus.shared.appending(path: "corpus/" + name)
    let copy = try Self.image(name).jpegCopy(quality: 95, codecs: Self.codecs.get())
    let old = try Self.tags(of: original)
    let new = try Self.tags(of: try scratch.write(copy.bytes, as: "copy.jpg"))
    // The copy has no gain map, so it must not describe one.
    #expect(!new.keys.contains { $0.hasPrefix("XMP-hdrgm:") })
    for (tag, value) in old where !Self.isOfThePicture(tag) && !tag.hasPrefix("XMP-hdrgm:") {
      #expect(new[tag] == value, "\(tag)")
    }
    if old["IFD0:Orientation"] != nil { #expect(new["IFD0:Orientation"] == "1") }
    if old["ExifIFD:ExifImageWidth"] != nil {
      #expect(new["ExifIFD:ExifImageWidth"] == new["File:ImageWidth"])
      #expect(new["ExifIFD:ExifImageHeight"] == new["File:ImageHeight"])
    }
    #expect(new.keys.allSatisfy { !$0.hasPrefix("IFD1:") })
    #expect(new["ExifTool:Warning"] == old["ExifTool:Warning"])
  }

  @Test("A maker note keeps its bytes and its offset.", arguments: ["arrow.heic", "IMG_3853.HEIC", "Canon.HIF"])
  func makerNotes(name: String) throws {
    let image = try Self.image("heic/" + name)
    let copy = Bytes(try image.jpegCopy(quality: 80, codecs: Self.codecs.get()).bytes)
    let old = try #require(try image.layout.exifBlock(of: image.source))
    let new = try #require(try ImageSource(copy, path: "a.jpg").layout.exifBlock(of: copy))
    let (note, kept) = (try #require(old.exif?[0x927C]?.value), try #require(new.exif?[0x927C]?.value))
    #expect(note == kept)
    #expect(try old.bytes(note).array == new.bytes(kept).array)
  }

  @Test("An orientation in EXIF doesn't rotate the copy if the file's properties don't.")
  func orientation() throws {
    let image = try Self.image("heic/example.heic")
    var changes = BlockChanges()
    changes.exif.set(0x0112, in: .ifd0, to: .short([6]))
    let turned = try ImageSource(
      PatchedSource(old: FileSource(image.path), patch: image.patch(changes)), path: image.path)
    let copy = Bytes(try turned.jpegCopy(quality: 90, codecs: Self.codecs.get()).bytes)
    let again = try ImageSource(copy, path: "a.jpg")
    #expect(again.properties.pixelSize == PixelSize(width: 1280, height: 854))
    #expect(again.properties.orientation == 1)
  }

  @Test(
    "The copy reports what it loses.",
    arguments: [
      ("avif/cosmos1650_yuv444_10bpc_p3pq.avif", "10 bits per channel (8 are kept)"),
      ("avif/cosmos1650_yuv444_10bpc_p3pq.avif", "HDR brightness (PQ) beyond the range of JPEG"),
      ("avif/colors-animated-8bpc-depth-exif-xmp.avif", "the sequence of pictures"),
      ("avif/seine_sdr_gainmap_srgb.avif", "the gain map (HDR)"), ("heic/spatial_photo.heic", "an additional picture"),
    ])
  func losses(name: String, loss: String) throws {
    #expect(
      try Self.image(name).jpegCopy(quality: 50, codecs: Self.codecs.get()).losses.contains { $0.sentence == loss })
  }

  @Test(
    "Colour keeps its resolution.",
    arguments: [("avif/cosmos1650_yuv444_10bpc_p3pq.avif", "1 1"), ("heic/C002.heic", "2 2")])
  func chroma(name: String, factors: String) throws {
    let copy = try Self.image(name).jpegCopy(quality: 95, codecs: Self.codecs.get())
    let scratch = try Scratch()
    let tags = try Self.tags(of: try scratch.write(copy.bytes, as: "a.jpg"))
    #expect(tags["File:YCbCrSubSampling"] == factors)
  }

  @Test("A missing codec is an error that names it.")
  func missing() throws {
    let image = try Self.image("heic/12.heic")
    let lacks: [(PictureCodecs, FileError.Code)] = [
      (.none, .noEncoder),
      (try Self.codecs.get().without(decoding: [.hevc]), .noDecoder),
      (try Self.codecs.get().without(decoding: [.hevc], encoding: [.hevc]), .noDecoder),
    ]
    for (codecs, code) in lacks {
      let coding = code == .noEncoder ? "encoder for JPEG" : "decoder for HEVC"
      #expect(throws: FileError(code, "no \(coding) is installed")) { try image.jpegCopy(quality: 95, codecs: codecs) }
    }
  }

  @Test(
    "A malformed file is an error or a copy, within the time limit.",
    arguments: Corpus.files("malformed/heif") + Corpus.files("malformed/avif"))
  func malformed(file: URL) throws {
    let started = ContinuousClock.now
    do {
      let copy = try ImageSource(file.filePath).jpegCopy(quality: 95, codecs: Self.codecs.get())
      #expect(!copy.bytes.isEmpty)
    } catch let error as FileError {
      #expect(!error.description.isEmpty)
      #expect(!error.description.contains("timed out"))
    }
    #expect(ContinuousClock.now - started < .seconds(20))
  }

  private static func isOfThePicture(_ tag: String) -> Bool {
    let groups = [
      "File:", "System:", "QuickTime:", "Meta:", "Composite:", "ExifTool:", "ICC", "IFD1:", "Track", "JFIF:",
    ]
    let facts = [
      "SourceFile", "IFD0:Orientation", "ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight", "IFD0:ImageWidth",
      "IFD0:ImageHeight", "XMP-tiff:Orientation", "XMP-tiff:ImageWidth", "XMP-tiff:ImageHeight",
      "XMP-exif:ExifImageWidth", "XMP-exif:ExifImageHeight",
    ]
    return groups.contains { tag.hasPrefix($0) } || facts.contains(tag)
  }

  private static func tags(of file: URL) throws -> [String: String] {
    let answer = try Oracle.run("exiftool", ["-G1", "-j", "-n", "-q", "-q", file.path])
    let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]] ?? []
    return rows.first?.mapValues { "\($0)" } ?? [:]
  }
}
