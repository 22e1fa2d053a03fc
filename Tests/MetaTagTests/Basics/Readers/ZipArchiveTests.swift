import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Zip archives")
struct ZipArchiveTests {
  static func zip(_ scratch: Scratch) throws -> [UInt8] {
    let gpx = Array(GPXText.file([GPXText.point("10,20 2024-05-01T10:00:00Z")]).utf8)
    let file = try scratch.write(gpx, as: "a.gpx")
    let archive = scratch.url.appending(path: "a.zip")
    let made = try Oracle.run("python3", ["-m", "zipfile", "-c", archive.path, file.path])
    try #require(made.status == 0, "\(made.errors)")
    return Array(try Data(contentsOf: archive))
  }

  @Test("An archive cut or changed at any byte is read or refused.")
  func damaged() throws {
    let scratch = try Scratch()
    let whole = try ZipArchiveTests.zip(scratch)
    var generator = SeededGenerator(seed: 52)
    for index in whole.indices {
      var changed = whole
      changed[index] = .random(in: 0...255, using: &generator)
      for bytes in [Array(whole[..<index]), changed] {
        let file = try scratch.write(bytes, as: "b.zip")
        let reading = try? TrackReading(file.filePath)
        #expect((reading?.tracks.map(\.count) ?? [1]).allSatisfy { $0 <= 1 })
      }
    }
  }

  @Test("Entries that share bytes are refused, because each would be unpacked.")
  func overlapping() throws {
    let scratch = try Scratch()
    var bytes = try ZipArchiveTests.zip(scratch)
    let directory = try #require(bytes.firstRange(of: Array("PK\u{1}\u{2}".utf8))).lowerBound
    let entry = bytes[directory...].dropLast(22)
    // The number of bytes in the directory is at offset 12 of the end record.
    let end = bytes.count - 22
    bytes[(end + 12)...(end + 13)] = [UInt8(entry.count * 2 & 0xFF), UInt8(entry.count * 2 >> 8)]
    bytes.insert(contentsOf: Array(entry), at: end)
    let file = try scratch.write(bytes, as: "b.zip")
    let error = #expect(throws: FileError.self) { try TrackReading(file.filePath) }
    #expect(error?.kind == .refused, "\(String(describing: error))")
  }

  @Test("A cut archive is truncated.")
  func cut() throws {
    let scratch = try Scratch()
    let file = try scratch.write(try ZipArchiveTests.zip(scratch).dropLast(30), as: "b.zip")
    let error = #expect(throws: FileError.self) { try TrackReading(file.filePath) }
    #expect(error?.kind == .truncated)
  }
}
