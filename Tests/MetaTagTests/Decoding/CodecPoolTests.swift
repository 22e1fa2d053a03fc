@testable import Decoding
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Sandboxed decoder")
struct CodecPoolTests {
  @Test("libexif lists every entry of a block as it is stored.", arguments: [Bytes.Order.big, .little])
  func entries(order: Bytes.Order) throws {
    let tiff = TIFFSample(order: order, ifd0: [.ascii(0x010F, "Maker"), .short(0x0112, 6), .undefined(0xFFFE, 9)]).bytes
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write([1, 2, 3] + tiff, as: "block").filePath)
    let readings = try CodecPool().exifEntries(of: [file.block(3..<file.count)])
    let reading = try #require(readings[0])
    #expect(reading.order == order)
    #expect(
      reading.entries == [
        EXIFEntry(ifd: 0, tag: 0x010F, format: 2, components: 6, bytes: Array("Maker\0".utf8)),
        EXIFEntry(ifd: 0, tag: 0x0112, format: 3, components: 1, bytes: UInt16(6).bytes(order)),
        EXIFEntry(ifd: 0, tag: 0xFFFE, format: 7, components: 9, bytes: [UInt8](repeating: 0xA5, count: 9)),
      ])
  }

  @Test("exiv2 reads a block beyond the 64 KB that libexif reads.", arguments: [Bytes.Order.big, .little])
  func large(order: Bytes.Order) throws {
    let tiff = TIFFSample(order: order, ifd0: [.ascii(0x010F, "Maker"), .undefined(0xC000, 100_000)]).bytes
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write(tiff, as: "a.tif").filePath)
    let reading = try #require(try CodecPool().exifEntries(of: [file.block(0..<file.count)], by: .exiv2)[0])
    #expect(reading.order == order)
    #expect(reading.entries.map(\.tag) == [0x010F, 0xC000])
    #expect(reading.entries.map(\.bytes.count) == [6, 8])
    #expect(try CodecPool().exifEntries(of: [file.block(0..<file.count)]) == [nil])
    #expect(reading.entries[0].bytes == Array("Maker\0".utf8))
  }

  @Test("Bytes that aren't an EXIF block are unreadable, not an error.")
  func noise() throws {
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write([UInt8](repeating: 0x41, count: 500), as: "noise").filePath)
    #expect(try CodecPool().exifEntries(of: [file.block(0..<500), file.block(0..<0)]) == [nil, nil])
  }

  @Test("A block that ends too early is a conflict, because the file was cut short.")
  func short() throws {
    let scratch = try Scratch()
    let url = try scratch.write([UInt8](repeating: 0, count: FileSource.headCount + 200), as: "a")
    let file = try FileSource(url.filePath)
    let block = try file.block(FileSource.headCount..<file.count)
    #expect(truncate(url.path, off_t(FileSource.headCount + 100)) == 0)
    let error = #expect(throws: FileError.self) { try CodecPool().exifEntries(of: [block]) }
    #expect(error?.kind == .conflict)
  }

  @Test("A file cut short while exiv2 reads it costs one answer, and the next request gets a new child.")
  func cut() throws {
    let scratch = try Scratch()
    let pool = CodecPool()
    // The directory was in a part of the file that is gone.
    let stump = try FileSource(try scratch.write([0x49, 0x49, 42, 0, 0, 0, 1, 0], as: "b.tif").filePath)
    let error = #expect(throws: FileError.self) {
      try pool.allTags(of: EXIFBlock(descriptor: stump.descriptor, range: 0..<100_000))
    }
    #expect(error?.kind == .unsupported)
    let whole = TIFFSample(order: .little, ifd0: [.ascii(0x010F, "Maker")]).bytes
    let file = try FileSource(try scratch.write(whole, as: "a.tif").filePath)
    #expect(
      try pool.allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count)).map(\.key) == [
        "Exif.Image.Make"
      ])
  }

  @Test("A request that takes too long ends with an error, and its child is replaced.")
  func late() throws {
    let scratch = try Scratch()
    let sample = TIFFSample(order: .little, ifd0: [.ascii(0x010F, "Maker")])
    let file = try FileSource(try scratch.write(sample.bytes, as: "a.tif").filePath)
    let pool = CodecPool()
    let error = #expect(throws: FileError.self) {
      try pool.allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count), within: .zero)
    }
    #expect(error?.description.contains("timed out") == true)
    #expect(try pool.allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count)).count == 1)
  }

  @Test("exiv2 lists tags with their meaning, and omits long binary values.")
  func tags() throws {
    let sample = TIFFSample(
      order: .little,
      ifd0: [
        .ascii(0x010F, "Mäker"), .short(0x0112, 6),
        .bytes(0x9C9B, Array("é".utf16).flatMap { $0.bytes(.little) } + [0, 0]),
        .undefined(0xC000, 5_000),
      ])
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write(sample.bytes, as: "a.tif").filePath)
    #expect(
      try CodecPool().allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count)) == [
        TagDump(key: "Exif.Image.Make", type: "Ascii", text: "Mäker", raw: "Mäker"),
        TagDump(key: "Exif.Image.Orientation", type: "Short", text: "right, top", raw: "6"),
        TagDump(key: "Exif.Image.XPTitle", type: "Byte", text: "é", raw: "233 0 0 0"),
        TagDump(key: "Exif.Image.0xc000", type: "Undefined", text: "(5000 bytes)", raw: ""),
      ])
  }

  @Test(
    "exiv2 never gets formats in which it corrupts its heap.",
    arguments: ["ftypqt  ", "II\u{1A}\0\0\0HEAPCCDR", "%!PS-Adobe-3.0 EPSF"])
  func refused(head: String) throws {
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write([0, 0, 0, 20] + Array(head.utf8), as: "a.jpg").filePath)
    #expect(throws: FileError(.unsupported, "listing all tags is not available for this format")) {
      try CodecPool().allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<file.count))
    }
  }

  @Test("Many callers share a pool, and read more files than one child does.")
  func concurrent() async throws {
    let tiff = TIFFSample(order: .big, ifd0: [.ascii(0x010F, "Maker")]).bytes
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write(tiff, as: "a.tif").filePath)
    let pool = CodecPool()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<400).count { _ in (try? pool.exifEntries(of: [file.block(0..<file.count)])[0]?.entries.count) == 1 }
        }
      }
      for await count in group { #expect(count == 400) }
    }
  }

  @Test(
    "A missing or wrong program is an I/O error.",
    arguments: ["/nonexistent/metatag-codecs", "/bin/true", "/bin/sleep"])
  func missing(program: FilePath) throws {
    let scratch = try Scratch()
    let file = try FileSource(try scratch.write([0], as: "a").filePath)
    let error = #expect(throws: FileError.self) {
      try CodecPool(program: program).allTags(of: EXIFBlock(descriptor: file.descriptor, range: 0..<1))
    }
    #expect(error?.kind == .io)
  }
}

extension FileSource {
  func block(_ range: Range<Int>) throws -> ReadableBlock { try ReadableBlock(range, of: self) }
}
