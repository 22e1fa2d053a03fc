import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Stored values of EXIF tags")
struct EXIFValueTests {
  private static func image(_ name: String) throws -> ImageSource {
    try ImageSource(Corpus.project.appending(path: "SampleImages/" + name).filePath)
  }

  @Test("Values have the type with which they are stored.")
  func types() throws {
    let image = try Self.image("aurora-01-jetty.jpg")
    #expect(image.exifValue(of: try .named("Exif.Image.Model")) == .text("A1"))
    #expect(image.exifValue(of: try .named("Exif.Photo.FocalLength")) == .fractions([Fraction(35, 1)]))
    #expect(image.exifValue(ofTag: 0x0112, in: .image) == .integers([1]))
    #expect(
      image.exifValue(ofTag: 0x9000, in: .photo).map {
        if case .bytes(let bytes) = $0 { bytes.count == 4 } else { false }
      } == true)
    #expect(image.exifValue(ofTag: 0xFFFE, in: .photo) == nil)
    #expect(image.exifValue(ofTag: 0x0001, in: .gps) == nil)
    #expect(try Self.image("borealis-04-viewpoint.jpg").exifValue(ofTag: 0x0001, in: .gps) == .text("N"))
  }

  @Test("Signed, floating-point and undefined values are read in both byte orders.", arguments: [true, false])
  func numbers(isBig: Bool) throws {
    let order = isBig ? Bytes.Order.big : .little
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
      tag.bytes(order) + type.bytes(order) + count.bytes(order) + value + [UInt8](repeating: 0, count: 4 - value.count)
    }
    // The directory of six entries ends at 86.
    let entries = [
      entry(0xA000, 6, 2, [0xFF, 0x7F]), entry(0xA001, 8, 1, UInt16(bitPattern: -2).bytes(order)),
      entry(0xA002, 9, 1, UInt32(bitPattern: -3).bytes(order)),
      entry(0xA003, 11, 1, Float(1.5).bitPattern.bytes(order)),
      entry(0xA004, 10, 3, UInt32(86).bytes(order)), entry(0xA005, 12, 1, UInt32(110).bytes(order)),
    ]
    let fractions: [(Int32, Int32)] = [(-1, 3), (4, -8), (0, 0)]
    let high = UInt32(Double(-2.5).bitPattern >> 32).bytes(order)
    let low = UInt32(truncatingIfNeeded: Double(-2.5).bitPattern).bytes(order)
    let block =
      Array((isBig ? "MM" : "II").utf8) + UInt16(42).bytes(order) + UInt32(8).bytes(order) + UInt16(6).bytes(order)
      + entries.flatMap { $0 } + UInt32(0).bytes(order)
      + fractions.flatMap { UInt32(bitPattern: $0).bytes(order) + UInt32(bitPattern: $1).bytes(order) }
      + (isBig ? high + low : low + high)
    let image = try TIFFBlock(Bytes(block), 0..<block.count)
    #expect(image.tags(in: .image) == [0xA000, 0xA001, 0xA002, 0xA003, 0xA004, 0xA005])
    #expect(image.exifValue(of: 0xA000, in: .image) == .integers([-1, 127]))
    #expect(image.exifValue(of: 0xA001, in: .image) == .integers([-2]))
    #expect(image.exifValue(of: 0xA002, in: .image) == .integers([-3]))
    #expect(image.exifValue(of: 0xA003, in: .image) == .decimals([1.5]))
    #expect(image.exifValue(of: 0xA004, in: .image) == .fractions([Fraction(-1, 3), Fraction(-1, 2), nil]))
    #expect(image.exifValue(of: 0xA005, in: .image) == .decimals([-2.5]))
  }

  @Test(
    "Values equal those of exiftool, over the corpus.",
    .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence)"))
  func oracle() throws {
    let numbers: [(String, UInt16, EXIFDirectory)] = [
      ("IFD0:Make", 0x010F, .image), ("ExifIFD:ISO", 0x8827, .photo), ("ExifIFD:FNumber", 0x829D, .photo),
      ("ExifIFD:Flash", 0x9209, .photo), ("IFD0:ResolutionUnit", 0x0128, .image),
      ("ExifIFD:ExposureTime", 0x829A, .photo),
    ]
    let folders = ["jpeg-special", "jpeg-makernote", "tiff"].map { Corpus.shared.appending(path: "corpus/" + $0).path }
    let tags = numbers.map { "-" + $0.0 }
    let listing = try Oracle.run("exiftool", ["-j", "-n", "-G1"] + tags + folders)
    let rows = try #require(try JSONSerialization.jsonObject(with: listing.output) as? [[String: any Sendable]])
    var compared = 0
    for row in rows {
      guard let path = row["SourceFile"] as? String, let image = try? ImageSource(FilePath(path)) else { continue }
      for (name, number, directory) in numbers {
        guard let theirs = row[name], let value = image.exifValue(ofTag: number, in: directory) else { continue }
        let mine: String =
          switch value {
          case .text(let text): text
          case .integers(let all): all.map(String.init).joined(separator: " ")
          case .fractions(let all): all.map { $0.map { "\($0.value)" } ?? "undef" }.joined(separator: " ")
          case .decimals(let all): all.map { "\($0)" }.joined(separator: " ")
          case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
          }
        let isEqual =
          mine == "\(theirs)" || Double(mine).flatMap { a in Double("\(theirs)").map { abs(a - $0) < 1e-5 } } == true
        #expect(isEqual, "\(path) \(name): \(mine), exiftool: \(theirs)")
        compared += 1
      }
    }
    #expect(compared > 20)
  }
}
