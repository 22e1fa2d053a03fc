import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// Every XMP packet in real JPEG and TIFF files, compared with ExifTool.
@Suite(.enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct XMPCorpusTests {
  private struct Sample {
    let name: String
    let bytes: [UInt8]
  }

  /// Packets found by their markers, without a container.
  private static let samples: [Sample] = {
    var found: [Sample] = []
    for file in ["corpus/jpeg-makernote", "corpus/jpeg-special", "corpus/tiff", "corpus/sidecar"].flatMap(Corpus.files)
    {
      guard let data = try? Data(contentsOf: file) else { continue }
      let bytes = Bytes(Array(data))
      let name = file.deletingPathExtension().lastPathComponent
      var packets: [Range<Int>] = []
      if file.pathExtension == "xmp" {
        packets = [0..<bytes.count]
      } else if bytes.has([0xFF, 0xD8]) {
        let mark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        var at = 0
        while let start = bytes.firstIndex(of: mark, from: at) {
          let end = start - 2 + Int((try? bytes.u16(start - 2, .big)) ?? 0)
          at = start + mark.count
          if at <= end, end <= bytes.count { packets.append(at..<end) }
        }
      } else if let start = bytes.firstIndex(of: Array("<?xpacket begin".utf8)),
        let last = bytes.firstIndex(of: Array("<?xpacket end".utf8), from: start)
      {
        packets = [start..<min(last + 19, bytes.count)]
      }
      for (index, packet) in packets.enumerated() {
        found.append(Sample(name: "\(name)-\(index).xmp", bytes: Array(data[packet])))
      }
    }
    return found
  }()

  private static let readable = samples.filter { (try? XMPPacket(Bytes($0.bytes))) != nil }

  @Test("Every packet in UTF-8 is read.")
  func reading() {
    #expect(XMPCorpusTests.samples.count > 60)
    for sample in XMPCorpusTests.samples {
      do {
        _ = try XMPPacket(Bytes(sample.bytes))
      } catch {
        let isBroken = ["_poc", "xmpsidecar_isXmpType", "exiv2-bug1108"].contains { sample.name.contains($0) }
        #expect(error.kind == .unsupported || isBroken, "\(sample.name): \(error)")
      }
    }
  }

  @Test("Shifting by an hour there and back restores every value and keeps the length.")
  func thereAndBack() throws {
    var changed = 0
    for sample in XMPCorpusTests.readable {
      guard let there = try XMPSample.edited(sample.bytes, .shift(3_600)) else { continue }
      let back = try #require(try XMPSample.edited(there, .shift(-3_600)))
      #expect(back.count == there.count)
      #expect(try XMPSample.metadata(back) == XMPSample.metadata(sample.bytes), "\(sample.name)")
      #expect(try XMPSample.metadata(there) != XMPSample.metadata(sample.bytes), "\(sample.name)")
      changed += 1
    }
    #expect(changed > 20)
  }

  /// ExifTool's properties of each packet, by packet and property.
  private static func properties(_ samples: [Sample]) throws -> [String: [String: String]] {
    let scratch = try Scratch()
    for sample in samples { try scratch.write(sample.bytes, as: sample.name) }
    let answer = try Oracle.run("exiftool", ["-j", "-G1", "-a", "-struct", "-xmp:all", scratch.url.path])
    let list = try #require(try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]])
    var found: [String: [String: String]] = [:]
    for var object in list {
      let path = try #require(object.removeValue(forKey: "SourceFile") as? String)
      found[URL(filePath: path).lastPathComponent] = try object.mapValues { value in
        let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
      }
    }
    return found
  }

  private static func isDate(_ property: String) -> Bool {
    [
      "XMP-exif:DateTimeOriginal", "XMP-exif:DateTimeDigitized", "XMP-photoshop:DateCreated", "XMP-xmp:CreateDate",
    ].contains(property)
  }

  private static func holdsLocation(_ property: String) -> Bool {
    let name = property.split(separator: ":").last ?? ""
    return name.lowercased().hasPrefix("gps") || name.hasSuffix("Altitude") || name.hasPrefix("LRFTargetA")
      || [
        "XMP-photoshop:City", "XMP-photoshop:State", "XMP-photoshop:Country", "XMP-iptcCore:Location",
        "XMP-iptcCore:CountryCode", "XMP-iptcExt:LocationCreated", "XMP-iptcExt:LocationShown",
        "XMP-photomech:CountryCode", "XMP-Geotate:GeotatePOI",
      ].contains(property)
  }

  @Test(
    "An edit changes the properties that it should, and no others.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"),
    arguments: ["dates", "place", "removal"])
  func others(what: String) throws {
    var edit = what == "removal" ? MetadataEdit.removingPlace : .shift(3_661)
    if what == "place" {
      edit = .place(Location(try #require(Coordinate(latitude: -12.3456789, longitude: 98.7654321)), altitude: 5))
    }
    let edited = try XMPCorpusTests.readable.compactMap { sample in
      try XMPSample.edited(sample.bytes, edit).map { Sample(name: sample.name, bytes: $0) }
    }
    #expect(!edited.isEmpty)
    let before = try XMPCorpusTests.properties(XMPCorpusTests.readable)
    for (name, after) in try XMPCorpusTests.properties(edited) {
      let old = try #require(before[name])
      for property in Set(old.keys).union(after.keys) {
        let isWanted = what == "dates" ? XMPCorpusTests.isDate(property) : XMPCorpusTests.holdsLocation(property)
        if !isWanted { #expect(old[property] == after[property], "\(name) \(property)") }
      }
      // A location in a drone maker's properties only is removed, because EXIF has the new one.
      if what == "place", old.keys.contains(where: { $0.hasPrefix("XMP-exif:GPSL") }) {
        #expect(after["XMP-exif:GPSLatitude"] == #""12 deg 20' 44.44\" S""#)
        #expect(after["XMP-exif:GPSLongitude"] == #""98 deg 45' 55.56\" E""#)
      }
      if what == "removal" { #expect(!after.keys.contains(where: XMPCorpusTests.holdsLocation), "\(name)") }
    }
  }

  @Test("A removed location's digits no longer occur in the packet.")
  func erasure() throws {
    for sample in XMPCorpusTests.readable {
      let old = try XMPPacket(Bytes(sample.bytes))
      guard let new = try old.edited(by: .removingPlace) else { continue }
      for property in old.properties where property.holdsLocation {
        guard let value = property.value, value.utf8.count > 5, value.contains(where: \.isNumber),
          !value.hasPrefix("0/")
        else { continue }
        #expect(!XMPSample.text(new).contains(value), "\(sample.name): \(property.name)")
      }
    }
  }

  @Test("Real packets cut short at any byte never trap.")
  func truncation() {
    for sample in XMPCorpusTests.readable where sample.bytes.count < 6_000 {
      for count in stride(from: 0, to: sample.bytes.count, by: 31) {
        guard let packet = try? XMPPacket(Bytes(Array(sample.bytes.prefix(count)))) else { continue }
        _ = try? packet.edited(by: .shift(1))
      }
    }
  }
}
