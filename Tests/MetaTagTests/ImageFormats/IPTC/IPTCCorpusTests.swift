@testable import ImageFormats
import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// Every IPTC block in Photoshop resources of real JPEG and TIFF files.
@Suite(.enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct IPTCCorpusTests {
  /// Image resource blocks in JPEG APP13, found by their signature.
  private static let samples: [(name: String, bytes: [UInt8])] = {
    var found: [(String, [UInt8])] = []
    let mark = Array("Photoshop 3.0\0".utf8)
    for file in ["corpus/jpeg-makernote", "corpus/jpeg-special"].flatMap(Corpus.files) {
      guard let data = try? Data(contentsOf: file) else { continue }
      let bytes = Bytes(Array(data))
      var at = 0
      while let start = bytes.firstIndex(of: mark, from: at) {
        at = start + mark.count
        let end = start - 2 + Int((try? bytes.u16(start - 2, .big)) ?? 0)
        if start >= 4, bytes.has([0xFF, 0xED], at: start - 4), at <= end, end <= bytes.count {
          found.append((file.lastPathComponent, Array(data[at..<end])))
        }
      }
    }
    return found
  }()

  @Test("Every block is read, and shifting by an hour there and back restores every byte.")
  func thereAndBack() throws {
    var (blocks, changed) = (0, 0)
    for (name, bytes) in IPTCCorpusTests.samples {
      let resources = try PhotoshopResources(Bytes(bytes))
      guard let range = resources.iptc else { continue }
      blocks += 1
      let old = Array(bytes[range])
      let data = try IPTCData(Bytes(old))
      #expect(data.datasets.last.map { $0.range.upperBound <= old.count } ?? old.isEmpty, "\(name)")
      guard let there = try data.edited(by: .shift(3_600)) else { continue }
      changed += 1
      #expect(try IPTCSample.edited(there, .shift(-3_600)) == old, "\(name)")
      let moved = try #require(try resources.replacingIPTC(with: there))
      let back = try PhotoshopResources(Bytes(moved)).replacingIPTC(with: old)
      #expect(back == bytes, "\(name)")
    }
    #expect(blocks > 20)
    #expect(changed > 5)
  }

  @Test("ExifTool reads the same dates and cities.", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func oracle() throws {
    let files = ["corpus/jpeg-makernote", "corpus/jpeg-special"].flatMap(Corpus.files)
    let answer = try Oracle.run(
      "exiftool",
      ["-j", "-IPTC:DateCreated", "-IPTC:TimeCreated", "-IPTC:City", "-charset", "iptc=Latin"] + files.map(\.path))
    let list = try #require(try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]])
    var compared = 0
    for object in list {
      let name = URL(filePath: object["SourceFile"] as? String ?? "").lastPathComponent
      let blocks = IPTCCorpusTests.samples.filter { $0.name == name }
      guard blocks.count == 1, let range = try PhotoshopResources(Bytes(blocks[0].bytes)).iptc else { continue }
      let metadata = try IPTCSample.metadata(Array(blocks[0].bytes[range]))
      let city = (object["City"] as? String).flatMap { $0 == " " ? nil : $0 }
      #expect(metadata.placeNames.first?.value.city == city, "\(name)")
      if let date = object["DateCreated"] as? String, let time = object["TimeCreated"] as? String {
        let text = date.replacing(":", with: "-") + "T" + time
        #expect(metadata.captureTimes.map { "\($0.value)" } == [text], "\(name)")
        compared += 1
      }
    }
    #expect(compared > 3)
  }
}
