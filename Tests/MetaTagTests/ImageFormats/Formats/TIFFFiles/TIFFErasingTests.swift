@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Erasing everything from a TIFF")
struct TIFFErasingTests {
  /// As the tool does it.
  static func erased(_ source: any ByteSource, keepingDate: Bool = false) throws -> (patch: Patch, new: Bytes) {
    let image = try ImageSource(source, path: "a.tif")
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    edit.erasure?.keepsDate = keepingDate
    let patch = try image.patch(for: edit)
    return (patch, Bytes(try patch.applied(to: source)))
  }

  private static func words(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "Directories, texts, dates and unused bytes are erased, and the picture and its tags stay in place.",
    arguments: [Bytes.Order.little, .big], [false, true])
  func plain(order: Bytes.Order, keepsDate: Bool) throws {
    let place = Sample.place([Rational(47, 1), Rational(36, 1), Rational(22, 1)], "N", [Rational(8, 1)], "E")
    let ifd0: [UInt16: TIFFValue] = [
      0x010E: .ascii("SecretDescription"), 0x0132: .ascii("2020:01:01 00:00:00"), 0x0112: .short([6]),
      0x0140: .short([1, 2, 3, 4, 5, 6]), 0x013C: .ascii("SecretHost"), 0xC351: .bytes(Self.words("SecretPrivate")),
      700: .bytes(Self.words("SecretXMP")), 0x013B: .ascii("Me"), 0x8773: .undefined(Self.words("profile, of a kind")),
    ]
    let photo = TIFFTests.photo(order, ifd0: ifd0, gps: place).array
    let old = Bytes(photo + Self.words("SecretTrailer"))
    let (patch, new) = try Self.erased(old, keepingDate: keepsDate)
    let text = String(decoding: new.array, as: UTF8.self)
    #expect(!text.contains("Secret") && !text.contains("Camera") && !text.contains("2020:01"))
    #expect(text.contains("profile, of a kind") && text.contains("2024:05:23 18:38:41") == keepsDate)
    let (before, after) = (try TIFFBlock(old, 0..<old.count), try TIFFBlock(new, 0..<new.count))
    #expect(
      after.ifd0.entries.map(\.tag)
        == [0x0100, 0x0111, 0x0112, 0x0117, 0x0140] + (keepsDate ? [0x8769] : []) + [0x8773])
    #expect(after.gps == nil && (after.exif == nil) == !keepsDate)
    for tag in [0x0100, 0x0111, 0x0117, 0x0140, 0x8773] as [UInt16] {
      #expect(after.value(of: tag, in: .ifd0) == before.value(of: tag, in: .ifd0))
    }
    let pixels = try TIFFContainer().layout(of: old).imageData
    #expect(try TIFFContainer().layout(of: new).imageData == pixels)
    for range in pixels { #expect(try old.bytes(range).array == new.bytes(range).array) }
    #expect(try patch.inverse(of: old).applied(to: new) == old.array)
    #expect(try Self.erased(new, keepingDate: keepsDate).patch.isEmpty)
  }

  @Test("Shared values, unknown compressions and broken pages refuse erasing everything.")
  func refused() throws {
    // A value within the pixels.
    var shared = TIFFTests.photo(ifd0: [0x010E: .ascii("SecretDescription")]).array
    let block = try TIFFBlock(Bytes(shared), 0..<shared.count)
    let entry = try #require(block.ifd0[0x010E])
    shared.replaceSubrange(entry.position + 8..<entry.position + 12, with: UInt32(shared.count - 40).bytes(.little))
    let tangled = #expect(throws: FileError.self) { try Self.erased(Bytes(shared)) }
    #expect(tangled?.kind == .refused && tangled?.description.contains("overlaps data to keep") == true)
    for coder in [50_001, 34_712, 33_003] {
      let photo = TIFFTests.photo(ifd0: [0x0103: .short([UInt16(coder)])])
      #expect(throws: FileError.self) { try Self.erased(photo) }
    }
    let dng = TIFFTests.photo(ifd0: [0xC612: .bytes([1, 4, 0, 0])])
    let raw = #expect(throws: FileError.self) { try Self.erased(dng) }
    #expect(raw?.description.contains("DNG raw file") == true)
    // A pointer to a next page that doesn't exist.
    var broken = TIFFTests.photo().array
    let end = try TIFFBlock(Bytes(broken), 0..<broken.count).ifd0.range.upperBound
    broken.replaceSubrange(end - 4..<end, with: UInt32(broken.count - 1).bytes(.little))
    #expect(throws: FileError.self) { try Self.erased(Bytes(broken)) }
  }

  @Test("A picture whose bytes can't all be found refuses erasing, because they might be overwritten.")
  func unknownData() throws {
    let size: [UInt16: TIFFValue] = [0x0101: .short([8]), 0x0102: .short([8]), 0x0115: .short([1])]
    #expect(try !Self.erased(TIFFTests.photo(ifd0: size)).patch.isEmpty)
    // No length; a length of zero; one that is too short; offsets of tables.
    let photo = TIFFTests.photo(ifd0: size).array
    let lengths = try #require(try TIFFBlock(Bytes(photo), 0..<photo.count).ifd0[0x0117])
    var files: [[UInt8]] = []
    for (position, bytes) in [
      (lengths.position, [0x18, 0x01]), (lengths.position + 8, [0]), (lengths.position + 8, [63]),
    ] {
      var file = photo
      file.replaceSubrange(position..<position + bytes.count, with: bytes.map(UInt8.init))
      files.append(file)
    }
    files.append(TIFFTests.photo(ifd0: [0x0103: .short([6]), 0x0207: .long([8])]).array)
    var coloured = size
    coloured[0x0115] = .short([3])
    files.append(TIFFTests.photo(ifd0: coloured).array)
    for file in files {
      let error = #expect(throws: FileError.self) { try Self.erased(Bytes(file)) }
      #expect(error?.kind == .refused && error?.description.contains("can't be located completely") == true)
    }
  }

  @Test("A JPEG-coded strip is accepted only with segments that decoders need.")
  func coded() throws {
    func photo(_ jpeg: [UInt8], coder: UInt16 = 7) throws -> Bytes {
      let ifd0: [UInt16: TIFFValue] = [0x0103: .short([coder])]
      let head = TIFFTests.photo(pixels: jpeg.count, ifd0: ifd0).array.dropLast(jpeg.count)
      return Bytes(head + jpeg)
    }
    let comment: [UInt8] = [0xFF, 0xFE, 0, 8] + Self.words("Secret")
    let app = try JPEGSegment.bytes(0xE1, JPEGSegment.exifHeader + Sample.tiff(exif: Sample.cameraDates))
    for coder in [6, 7] as [UInt16] {
      #expect(try !Self.erased(photo(Sample.jpeg(Sample.jfif).array, coder: coder)).patch.isEmpty)
      for jpeg in [Sample.jpeg(comment), Sample.jpeg(app), Sample.jpeg(trailer: comment)] {
        let error = #expect(throws: FileError.self) { try Self.erased(photo(jpeg.array, coder: coder)) }
        #expect(error?.kind == .refused && error?.description.contains("JPEG-compressed") == true)
      }
    }
  }

  @Test(
    "Every real TIFF keeps its picture's bytes and only its structural tags.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    var count = 0
    for file in Corpus.files("corpus/tiff") {
      let old = try FileSource(file.filePath)
      guard [.tiff, .bigTIFF].contains(try ImageSource(old, path: "a").type) else { continue }
      let (patch, new) = try Self.erased(old)
      count += 1
      let layout = try TIFFContainer().layout(of: old)
      #expect(try TIFFContainer().layout(of: new).imageData == layout.imageData, "\(file.lastPathComponent)")
      for range in layout.imageData { #expect(try old.bytes(range).array == new.bytes(range).array) }
      let block = try TIFFBlock(new, 0..<new.count)
      let known = TIFFStructure.tags.union([TIFFTag.exifIFD])
      for directory in try TIFFReferences(of: block).directories where directory.range != block.exif?.range {
        #expect(directory.entries.allSatisfy { known.contains($0.tag) }, "\(file.lastPathComponent)")
      }
      let tags = block.exif?.entries.map(\.tag) ?? []
      #expect(Set(tags).isSubset(of: [TIFFTag.exifVersion, TIFFTag.colorSpace]), "\(file.lastPathComponent)")
      try expectNothing(of: old, in: new, besides: layout.imageData, file.lastPathComponent)
      #expect(try patch.inverse(of: old).applied(to: new) == old.bytes(0..<old.count).array)
      #expect(try Self.erased(new).patch.isEmpty, "\(file.lastPathComponent)")
    }
    #expect(count >= 14)
  }

  /// Expects that every erased value is gone outside the pixels.
  private func expectNothing(
    of old: any ByteSource, in new: Bytes, besides images: [Range<Int>], _ name: String
  ) throws {
    let block = try TIFFBlock(old, 0..<old.count)
    var bytes = new.array
    for range in images { bytes.replaceSubrange(range, with: repeatElement(0, count: range.count)) }
    let rest = Bytes(bytes)
    for directory in try TIFFReferences(of: block).directories {
      for entry in directory.entries where !TIFFStructure.tags.contains(entry.tag) {
        guard let value = block.raw(entry)?.array, value.count >= 8, Set(value).count > 4 else { continue }
        #expect(rest.firstIndex(of: value) == nil, "\(name): \(entry.tag)")
      }
    }
  }

  @Test("A malformed TIFF is erased or refused within a second.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func malformed() throws {
    for file in Corpus.files("malformed/tiff") + Corpus.files("malformed/exiv2-poc") {
      let time = try processorTime {
        let old = try FileSource(file.filePath)
        do {
          let (_, new) = try Self.erased(old)
          if [.tiff, .bigTIFF].contains(try ImageSource(old, path: "a").type) {
            _ = try TIFFContainer().layout(of: new)
          }
        } catch let error as FileError {
          #expect(!error.description.isEmpty)
        }
      }
      #expect(time < .seconds(1), "\(file.lastPathComponent)")
    }
  }
}
