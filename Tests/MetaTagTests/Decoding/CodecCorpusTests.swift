@testable import ImageFormats
@testable import Decoding
import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Sandboxed decoder on real files", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct CodecCorpusTests {
  static let jpegs = ["jpeg-makernote", "jpeg-orientation", "jpeg-special"].flatMap { Corpus.files("corpus/\($0)") }

  @Test("Both libraries read every JPEG that has an EXIF block.")
  func reading() throws {
    let pool = CodecPool()
    var count = 0
    for url in CodecCorpusTests.jpegs {
      let file = try FileSource(url.filePath)
      guard let range = exifRange(of: file) else { continue }
      let reading = try #require(try pool.exifEntries(of: [file.block(range)])[0], "\(url.lastPathComponent)")
      let tags = try pool.allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count))
      #expect(!reading.entries.isEmpty && !tags.isEmpty, "\(url.lastPathComponent)")
      count += 1
    }
    #expect(count > 100)
  }

  @Test("A block that grew by zeros at its end reads the same.", arguments: jpegs)
  func growth(url: URL) throws {
    let file = try FileSource(url.filePath)
    guard let range = exifRange(of: file) else { return }
    let scratch = try Scratch()
    let bytes = try file.bytes(range).array + [UInt8](repeating: 0, count: min(4_096, 65_527 - range.count))
    let new = try FileSource(try scratch.write(bytes, as: "block").filePath)
    let verdict = try SecondReader(pool: .shared).check(
      old: try file.block(range), new: try new.block(0..<new.count), changes: TIFFChanges())
    #expect(verdict == .confirmed)
  }

  @Test("TIFF files are compared whole; neither library reads BigTIFF.", arguments: Corpus.files("corpus/tiff"))
  func tiff(url: URL) throws {
    let file = try FileSource(url.filePath)
    let whole = try file.block(0..<file.count)
    let verdict = try SecondReader(pool: .shared).check(old: whole, new: whole, changes: TIFFChanges())
    #expect(verdict == (url.lastPathComponent.hasPrefix("BigTIFF") ? .unreadable : .confirmed))
  }

  @Test(
    "A malformed file affects only its own answer and ends within the time limit.",
    arguments: Corpus.files("malformed"))
  func malformed(url: URL) throws {
    let file = try FileSource(url.filePath)
    let pool = CodecPool.shared
    let range = exifRange(of: file) ?? 0..<min(file.count, EXIFReader.libexifLimit)
    try isInTime { _ = try pool.exifEntries(of: [file.block(range)]) }
    try isInTime { _ = try pool.exifEntries(of: [file.block(0..<file.count)], by: .exiv2) }
    try isInTime { _ = try pool.allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count)) }
  }

  private func isInTime(_ question: () throws -> Void) throws {
    do { try question() } catch let error as FileError { #expect(!error.description.contains("timed out")) }
  }

  /// The TIFF block in the first APP1 segment that begins with `Exif`.
  private func exifRange(of file: FileSource) -> Range<Int>? {
    guard (try? file.bytes(at: 0, count: 2))?.has([0xFF, 0xD8]) == true else { return nil }
    var at = 2
    while let marker = try? file.bytes(at: at, count: 4), marker.has([0xFF]), !marker.has([0xFF, 0xDA]),
      let length = try? marker.u16(2, .big), length >= 8, at + 2 + Int(length) <= file.count
    {
      let start = try? file.bytes(at: at + 4, count: 6)
      if marker.has([0xFF, 0xE1]), start?.has(Array("Exif\0\0".utf8)) == true { return at + 10..<at + 2 + Int(length) }
      at += 2 + Int(length)
    }
    return nil
  }
}

extension CodecPool {
  /// A pool that all tests share.
  static let shared = CodecPool()

  /// Creates a pool for metadata.
  convenience init() { self.init(.metadata, in: CodecPrograms.installed.folders) }
}
