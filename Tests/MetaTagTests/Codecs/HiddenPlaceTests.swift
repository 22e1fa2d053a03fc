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

  /// FLIR's data in one segment, or in two of which the first ends so many bytes before the second's.
  private static func flir(isValid: Bool, length: UInt32 = 64, second: Int = 0) -> [UInt8] {
    let record = [0, 0x2B] + [UInt8](repeating: 0, count: 10) + UInt32(96).bytes(.big) + length.bytes(.big)
    let head =
      Array("FFF\0".utf8) + [UInt8](repeating: 0, count: 16) + UInt32(101).bytes(.big) + UInt32(64).bytes(.big)
      + UInt32(1).bytes(.big) + [UInt8](repeating: 0, count: 32)
    let position = UInt32(isValid ? 1 : 0).bytes(.little) + [UInt8](repeating: 7, count: 60)
    let data = head + record + [UInt8](repeating: 0, count: 12) + position
    let last: UInt8 = second > 0 ? 1 : 0
    let parts = last == 0 ? [data] : [data.dropLast(second), Array(data.suffix(second))]
    return parts.enumerated().flatMap { index, part in
      Sample.segment(0xE1, Array("FLIR\0".utf8) + [1, UInt8(index), last] + part)
    }
  }

  @Test(
    "are erased where they stand, also across a border of segments",
    arguments: [
      ("Panasonic's city", Sample.exif(panasonic("Zermatt")), true), ("no city", Sample.exif(panasonic("---")), false),
      ("the rest of a city", Sample.exif(panasonic("\0ermatt")), true), ("FLIR's position", flir(isValid: true), true),
      ("FLIR in two segments", flir(isValid: true, second: 62), true),
      ("FLIR's list in two segments", flir(isValid: true, second: 80), true),
      ("FLIR without a fix", flir(isValid: false), false),
    ])
  func erasing(name: String, segment: [UInt8], isThere: Bool) throws {
    let old = Sample.jpeg(segment)
    let patch = try ImageSource(old, path: "a.jpg").patch(for: .removingPlace)
    #expect(patch.isEmpty != isThere)
    let new = Bytes(try patch.applied(to: old))
    #expect(new.count == old.count && new.firstIndex(of: Array("ermatt".utf8)) == nil)
    #expect(!isThere || new.firstIndex(of: [7, 7]) == nil)
    #expect(try ImageSource(new, path: "a.jpg").patch(for: .removingPlace).isEmpty)
  }

  @Test("are named where they can't be erased, and such a photo is not said to be cleared")
  func refusal() throws {
    let long = try ImageSource(Sample.jpeg(Self.flir(isValid: true, length: 65)), path: "a.jpg")
    let tiff = try ImageSource(Bytes(Self.panasonic("Zermatt")), path: "a.tif")
    for image in [long, tiff] {
      #expect { try image.patch(for: .removingPlace) } throws: { ($0 as? PhotoError)?.kind == .refused }
    }
  }
}
