import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Decompression")
struct UnpackingTests {
  static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try Oracle.run("gzip", ["-9", "-c"], input: Data(bytes)).output)
  }

  /// The content of a track file with these bytes.
  static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    var input = try InputWindow(SourceStream(Bytes(bytes)))
    try input.fill(.max)
    return Array(input.bytes[input.at...])
  }

  @Test(
    "Decompression restores every gzip member, whatever follows.", arguments: [[], [0, 0, 0], [1, 2]] as [[UInt8]])
  func roundTrip(garbage: [UInt8]) throws {
    var generator = SeededGenerator(seed: 5)
    let bytes = (0..<600_000).map { _ in UInt8.random(in: 0...9, using: &generator) }
    let packed = try UnpackingTests.gzip(bytes) + UnpackingTests.gzip([7, 8]) + garbage
    #expect(try UnpackingTests.unpacked(packed) == bytes + [7, 8])
  }

  @Test("Other bytes stay as they are.", arguments: [[], [0x1F], Array("<gpx/>".utf8)] as [[UInt8]])
  func others(bytes: [UInt8]) throws { #expect(try UnpackingTests.unpacked(bytes) == bytes) }

  @Test("A damaged file is malformed.")
  func damaged() throws {
    var packed = try UnpackingTests.gzip(Array("abcdefghijklmnop".utf8))
    packed[14] ^= 0xFF
    let error = #expect(throws: FileError.self) { try UnpackingTests.unpacked(packed) }
    #expect(error?.kind == .malformed)
  }

  @Test("A file that breaks off gives its beginning.")
  func brokenOff() throws {
    let bytes = Array(GPXText.file([GPXTests.first, GPXTests.second]).utf8)
    let packed = try UnpackingTests.gzip(bytes)
    #expect(bytes.starts(with: try UnpackingTests.unpacked(Array(packed.dropLast(12)))))
    #expect(try UnpackingTests.unpacked([0x1F, 0x8B]).isEmpty)
  }

  @Test("A decompression bomb is refused before it fills the memory.")
  func bomb() throws {
    let bomb = try Oracle.run("sh", ["-c", "head -c 300000000 /dev/zero | gzip -9 -c"]).output
    let error = #expect(throws: FileError.self) { try UnpackingTests.unpacked(Array(bomb)) }
    #expect(error?.kind == .refused)
  }

  @Test("A compressed track is read like a plain one.")
  func track() throws {
    let packed = try UnpackingTests.gzip(Array(GPXText.file([GPXTests.first, GPXTests.second]).utf8))
    #expect(try Track(bytes: packed, name: "t.gpx.gz").count == 2)
  }
}
