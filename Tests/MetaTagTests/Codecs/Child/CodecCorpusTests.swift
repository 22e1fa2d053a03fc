import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("The sandboxed decoder on real files", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct CodecCorpusTests {
  static let jpegs = ["jpeg-makernote", "jpeg-orientation", "jpeg-special"].flatMap { Corpus.files("corpus/\($0)") }

  @Test("Both libraries read every JPEG with an EXIF block, and quickly")
  func jpegs() throws {
    let pool = CodecPool()
    var unread: [String] = []
    var (count, entries, time, tagTime) = (0, 0, Duration.zero, Duration.zero)
    for url in CodecCorpusTests.jpegs {
      let file = try FileSource(url.filePath)
      guard let range = exifRange(of: file) else { continue }
      let reading = try pool.exifEntries(of: [file.block(range)])[0]
      if reading == nil { unread.append(url.lastPathComponent) }
      time += try ContinuousClock().measure { _ = try pool.exifEntries(of: [file.block(range), file.block(range)]) }
      tagTime += ContinuousClock().measure {
        do { _ = try pool.allTags(of: file.descriptor, count: file.count) } catch { unread.append("\(url.lastPathComponent) exiv2 \(error)") }
      }
      count += 1
      entries += reading?.entries.count ?? 0
    }
    print("EXPERIMENT", count, entries, time / Double(count), tagTime / Double(count), unread)
  }

  @Test("grow") func grow() throws {
    let pool = CodecPool()
    let scratch = try Scratch()
    for url in CodecCorpusTests.jpegs {
      let file = try FileSource(url.filePath)
      guard let range = exifRange(of: file) else { continue }
      let bytes = try file.bytes(range).array + [UInt8](repeating: 0, count: min(4096, 65527 - range.count))
      let new = try FileSource(try scratch.write(bytes, as: "x").filePath)
      do {
        let v = try SecondReader(pool: pool).check(old: file.block(range), new: new.block(0..<new.count), changes: TIFFChanges())
        if v != .confirmed { print("GROW", url.lastPathComponent, v) }
      } catch { print("GROW", url.lastPathComponent, error) }
    }
    for url in Corpus.files("corpus/tiff") + Corpus.files("corpus/raw") {
      let file = try FileSource(url.filePath)
      let bytes = try file.bytes(0..<file.count).array + [UInt8](repeating: 0, count: 4096)
      let new = try FileSource(try scratch.write(bytes, as: "x").filePath)
      do {
        let t = ContinuousClock.now
        let r = try pool.exifEntries(of: [file.block(0..<file.count)])[0]
        let v = try SecondReader(pool: pool).check(old: file.block(0..<file.count), new: new.block(0..<new.count), changes: TIFFChanges())
        print("GROWT", url.lastPathComponent, file.count, r?.entries.count ?? -1, v, ContinuousClock.now - t)
      } catch { print("GROWT", url.lastPathComponent, error) }
    }
  }

  /// The TIFF block in the first APP1 segment that begins with `Exif`.
  func exifRange(of file: FileSource) -> Range<Int>? {
    var at = 2
    while let marker = try? file.bytes(at: at, count: 4), let first = try? marker.u8(0), first == 0xFF,
      let kind = try? marker.u8(1), kind != 0xDA, let length = try? marker.u16(2, .big)
    {
      let body = try? file.prefix(at: at + 4, count: 6)
      if kind == 0xE1, body?.has(Array("Exif\0\0".utf8)) == true { return at + 10..<min(file.count, at + 2 + Int(length)) }
      at += 2 + Int(length)
    }
    return nil
  }
}
