import SystemPackage
import Testing

@testable import MetaTag

@Suite("Places that only a maker's own data tell")
struct HiddenPlaceTests {
  /// A block whose maker note is Panasonic's, with a city.
  private static func panasonic(_ city: String) -> [UInt8] {
    let value = Array(city.utf8) + [UInt8](repeating: 0, count: 72 - city.utf8.count)
    func block(_ start: Int) -> [UInt8] {
      let entry = UInt16(0x6D).bytes(.little) + UInt16(7).bytes(.little) + UInt32(72).bytes(.little)
      let note =
        Array("Panasonic\0\0\0".utf8) + UInt16(1).bytes(.little) + entry + UInt32(start + 30).bytes(.little)
        + [0, 0, 0, 0] + value
      return Sample.tiff(exif: [0x9000: .undefined(Array("0230".utf8)), 0x927C: .undefined(note)])
    }
    // Offsets in the note count from the TIFF header: where the note lies must be known first.
    let marker = Array("Panasonic\0".utf8)
    return block(Bytes(block(0)).firstIndex(of: marker, from: 0) ?? 0)
  }

  private static func flir(isValid: Bool) -> [UInt8] {
    let record = [0, 0x2B] + [UInt8](repeating: 0, count: 10) + UInt32(96).bytes(.big) + UInt32(64).bytes(.big)
    let head =
      Array("FFF\0".utf8) + [UInt8](repeating: 0, count: 16) + UInt32(101).bytes(.big) + UInt32(64).bytes(.big)
      + UInt32(1).bytes(.big) + [UInt8](repeating: 0, count: 32)
    let position = UInt32(isValid ? 1 : 0).bytes(.little) + [UInt8](repeating: 7, count: 60)
    let data = head + record + [UInt8](repeating: 0, count: 12) + position
    return Sample.segment(0xE1, Array("FLIR\0".utf8) + [1, 0, 0] + data)
  }

  @Test(
    "are named, and such a photo is not said to be cleared",
    arguments: [
      ("Panasonic's city", Sample.exif(panasonic("Zermatt")), true), ("no city", Sample.exif(panasonic("---")), false),
      ("FLIR's position", flir(isValid: true), true), ("FLIR without a fix", flir(isValid: false), false),
    ])
  func refusal(name: String, segment: [UInt8], isRefused: Bool) throws {
    let image = try ImageSource(Sample.jpeg(segment), path: "a.jpg")
    if isRefused {
      #expect { try image.patch(for: .removingPlace) } throws: { ($0 as? PhotoError)?.kind == .refused }
    } else {
      #expect(try image.patch(for: .removingPlace).isEmpty)
    }
  }
}
