import Foundation
import TestSupport
import Testing

/// Files that few other programs read completely.
@Suite("BigTIFF")
struct BigTIFFTests {
  /// Two by two pixels.
  private static let file: [UInt8] = {
    let tags: [(UInt16, UInt64)] = [
      (256, 2), (257, 2), (258, 8), (259, 1), (262, 1), (273, 212), (277, 1), (278, 2), (279, 4),
    ]
    let entries = tags.flatMap { tag, value in
      bytes(tag) + bytes(UInt16(16)) + bytes(UInt64(1)) + bytes(value)
    }
    let head = [0x49, 0x49, 43, 0, 8, 0, 0, 0] + bytes(UInt64(16)) + bytes(UInt64(tags.count))
    return head + entries + bytes(UInt64(0)) + [1, 2, 3, 4]
  }()

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  @Test("A location written to a BigTIFF gives a note that exiftool can't read it.")
  func unreadPlace() throws {
    let (tool, photos) = (try Tool(), try Scratch())
    let note = "exiftool, exiv2 and others read no place in a BigTIFF"
    let photo = try photos.write(Data(Self.file), as: "a.tif")
    for run in [
      try tool("geotag", "--dry-run", "--at", "35,135", photo.path), try tool("geotag", "--at", "35,135", photo.path),
    ] {
      #expect(run.status == 0 && run.text.contains("no place → 35.0, 135.0"), "\(run.text)")
      #expect(run.text.contains(note) && run.text.contains("--sidecar always"), "\(run.text)")
    }
    for run in [
      try tool("set", "--artist", "A", photo.path), try tool("clear", "--location", photo.path),
    ] {
      #expect(run.text.contains("1 changed") && !run.text.contains(note), "\(run.text)")
    }
    let beside = try tool("geotag", "--at", "35,135", "--sidecar", "always", photo.path)
    #expect(beside.text.contains("a.tif.xmp") && !beside.text.contains(note), "\(beside.text)")
  }
}
