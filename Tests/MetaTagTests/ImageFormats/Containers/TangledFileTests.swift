@testable import ImageFormats
import TestSupport
import Testing

@testable import MetaTag

/// Small files that are made to cost their reader time, memory or a crash.
@Suite("Tangled files")
struct TangledFileTests {
  private static let removal: MetadataEdit = {
    var edit = MetadataEdit()
    edit.location = .remove
    return edit
  }()

  /// One entry of a little-endian directory.
  private func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: Int) -> [UInt8] {
    tag.bytes(.little) + type.bytes(.little) + UInt32(count).bytes(.little) + UInt32(value).bytes(.little)
  }

  private func directory(_ entries: [[UInt8]], next: Int = 0) -> [UInt8] {
    UInt16(entries.count).bytes(.little) + entries.flatMap(\.self) + UInt32(next).bytes(.little)
  }

  private let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]

  @Test("Thousands of pointers to one directory cost no more than one.")
  func sharedDirectory() throws {
    let pointers = 5_000
    let end = 8 + 18 + 4 * pointers
    let many = (0..<2_000).map { entry(UInt16($0) + 1_000, 1, 4, $0) }
    let file = Bytes(
      header + directory([entry(TIFFTag.subIFDs, TIFFType.long, pointers, 26)])
        + Array((0..<pointers).map { _ in UInt32(end).bytes(.little) }.joined()) + directory(many))
    let time = try processorTime {
      let found = try TIFFReferences(of: TIFFBlock(file, 0..<file.count)).directories
      #expect(found.count == 2)
    }
    #expect(time < .seconds(5))
  }

  @Test("A GPS directory that thousands of directories share is removed once.")
  func sharedGPS() throws {
    let count = 1_500
    let gps = 8 + 18 * count
    let chain = (0..<count).map { index in
      directory([entry(TIFFTag.gpsIFD, TIFFType.long, 1, gps)], next: index + 1 < count ? 8 + 18 * (index + 1) : 0)
    }
    let values = (0..<2_500).map { entry(UInt16($0), 1, 4, 0x0101_0101) }
    let photo = Sample.jpeg(Sample.exif(header + chain.flatMap(\.self) + directory(values)))
    let time = processorTime { _ = try? Editing.edited(photo, Self.removal) }
    #expect(time < .seconds(5))
  }

  @Test("A GPS directory with tens of thousands of values is refused.")
  func longGPS() throws {
    let count = 20_000
    let gps = 8 + 18
    let values = gps + 6 + 12 * count
    let file = Bytes(
      header + directory([entry(TIFFTag.gpsIFD, TIFFType.long, 1, gps)])
        + directory((0..<count).map { entry(UInt16($0), 1, 8, values + 8 * $0) })
        + [UInt8](repeating: 1, count: 8 * count))
    let time = processorTime {
      let error = #expect(throws: FileError.self) { try Editing.edited(file, Self.removal) }
      #expect(error?.kind == .refused)
    }
    #expect(time < .seconds(10))
  }

  @Test("A BigTIFF block in a JPEG may contain any offset.")
  func hugePreview() throws {
    let word = [UInt8](repeating: 0xFF, count: 8)
    func entry(_ tag: UInt16, _ value: [UInt8]) -> [UInt8] {
      tag.bytes(.little) + TIFFType.long.bytes(.little) + UInt64(1).bytes(.little) + value
    }
    let block: [UInt8] =
      [0x49, 0x49, 43, 0, 8, 0, 0, 0] + UInt64(16).bytes(.little) + UInt64(2).bytes(.little)
      + entry(TIFFTag.jpegOffset, word) + entry(TIFFTag.jpegByteCount, UInt64(5).bytes(.little))
      + UInt64(0).bytes(.little)
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(1, 2)))
    let photo = try Editing.edited(Sample.jpeg(Sample.exif(block)), edit)
    #expect(try Editing.metadata(of: photo).location?.coordinate == .at(1, 2))
  }

  @Test("IPTC data is refused if its padding is in the next segment and it shrinks by more than its own.")
  func partedPadding() throws {
    let head = Array("8BIM".utf8) + UInt16(0x0404).bytes(.big) + [0, 0] + UInt32(5).bytes(.big)
    let name = Array("Photoshop 3.0\0".utf8)
    // An empty city name, and nothing else.
    let segments = [head, [0x1C, 2, 90, 0, 0], [0]].flatMap { Sample.segment(0xED, name + $0) }
    let photo = Sample.jpeg(segments)
    var changes = BlockChanges()
    changes.iptc = []
    let layout = try JPEGContainer().layout(of: photo)
    #expect(layout.iptc?.count == 5)
    #expect(throws: FileError.self) { try JPEGContainer().patch(changes, layout: layout, source: photo) }
  }
}
