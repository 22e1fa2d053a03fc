@testable import SafeWriting
@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Large movies")
struct BigMovieTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A sparse file of `size` bytes of media data, followed by `moov`.
  private func movie(_ size: Int, extra: [UInt8] = []) throws -> URL {
    let head = MovieSample.brand + [0, 0, 0, 1] + FourCC("mdat").bytes + UInt64(size + 16).bytes(.big)
    let file = try scratch.write(head, as: "\(size).mov")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(head.count + size))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(MovieSample.moov(media: head.count, extra: extra)))
    try handle.close()
    return file
  }

  private func place() throws -> MetadataEdit {
    var edit = try MetadataEdit.place(altitude: 56)
    edit.dates = .adjust(TimeShift(seconds: 60), offset: .keep)
    return edit
  }

  @Test(
    "A large movie with moov at its end is edited by appending and overwriting one sector.",
    arguments: [[], MovieTests.iPhone, MovieSample.userData(MovieSample.text("©xyz", "+35.7143+139.7963/"))])
  func commit(extra: [UInt8]) throws {
    let file = try movie(1 << 30, extra: extra)
    let time = try processorTime {
      let image = try ImageSource(file.filePath)
      let source = try FileSource(file.filePath)
      for edit in extra.isEmpty ? [try place()] : [try place(), .removal] {
        let patch = try image.patch(for: edit)
        #expect(InPlaceEdit(patch)?.erased.isEmpty == extra.isEmpty)
        #expect(patch.splices.reduce(0) { $0 + $1.bytes.count } < 4_096)
        let after = try ImageSource(PatchedSource(old: source, patch: patch), path: file.filePath)
        try Expectation(edit: edit, before: image.metadata()).check(after.metadata())
        #expect(InPlaceEdit(try patch.inverse(of: source)) != nil)
      }
    }
    #expect(time < .seconds(1))
  }

  @Test("If four bytes lie across two sectors, moov grows in place instead.")
  func straddling() throws {
    let head = MovieSample.brand.count + 16
    let file = try movie((20 << 20) + 506 - head % 512)
    let patch = try ImageSource(file.filePath).patch(for: try place())
    let moov = try MovieFile(of: FileSource(file.filePath)).moov
    #expect(moov.typeRange.lowerBound / 512 != (moov.typeRange.upperBound - 1) / 512)
    #expect(patch.commitSector() == nil)
  }

  @Test("Removing a location erases it from an old moov too.")
  func deadCopies() throws {
    let file = try movie(16 << 20, extra: MovieTests.iPhone)
    let first = try edited(file, .dates(.adjust(TimeShift(seconds: 60), offset: .keep)))
    // Now there are two copies.
    #expect(first.firstIndex(of: Array("+35.7143".utf8), from: 16 << 20) != nil)
    try scratch.write(first.array, as: file.lastPathComponent)
    let cleared = try edited(file, .removal)
    #expect(cleared.firstIndex(of: Array("+35.7143".utf8), from: 16 << 20) == nil)
  }

  private func edited(_ file: URL, _ edit: MetadataEdit) throws -> Bytes {
    let patch = try ImageSource(file.filePath).patch(for: edit)
    return Bytes(try patch.applied(to: FileSource(file.filePath)))
  }
}
