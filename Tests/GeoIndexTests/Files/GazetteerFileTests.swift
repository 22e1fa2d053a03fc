import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Compact gazetteer")
struct GazetteerFileTests {
  private func read(_ bytes: [UInt8]) throws -> GazetteerFile {
    let scratch = try Scratch()
    return try GazetteerFile(contentsOf: try scratch.write(bytes, as: "gazetteer.bin").path)
  }

  @Test("The file is read column by column.")
  func columns() throws {
    let places = try read(TinyGazetteer().bytes).places
    #expect(places.id == [10, 20, 30])
    #expect(places.region == [0, 1, 1])
    #expect(places.latitude == [4_885_341, 3_502_107, 3_492_107])
    #expect(places.names.records() == [["Paris"], ["Kyoto"], ["Uji"]])
    #expect(places.aliases.map { $0.records() } == [[["Lutetia"], ["Kioto"], []], [[], ["京都", "京都市"], ["宇治"]]])
  }

  @Test("A file that is cut off is refused.")
  func truncated() throws {
    let bytes = TinyGazetteer().bytes
    // Whole columns of aliases may be missing: those files are shorter, not damaged.
    let packed = TinyGazetteer().sections.suffix(2).map { TinyGazetteer.packed($0).count }
    let whole = [0, packed[1], packed[0] + packed[1]].map { bytes.count - $0 }
    for count in 0..<bytes.count where !whole.contains(count) {
      let error = #expect(throws: GeoIndexError.self) { try read(Array(bytes.prefix(count))) }
      #expect(error?.code == .damagedGazetteer)
    }
  }

  @Test(
    "An impossible file is refused.",
    arguments: [
      { (file: inout TinyGazetteer) in file.first = "metatag gazetteer 2 0123456789abcdef 3\n" },
      { file in file.first = "metatag gazetteer 4 0123456789abcdef -1\n" },
      { file in file.first = "metatag gazetteer 4 ../../evil 3\n" },
      { file in file.first = "metatag gazetteer 4 0123456789abcdef 4\n" },
      { file in file.sections[3] = [0, 4, 0] },  // a region that isn't listed
      { file in file.sections[5] = TinyGazetteer.numbers(9_000_001, 0, 0) },  // beyond the pole
      { file in file.sections[4] = [UInt8](repeating: 0xFF, count: 12) },  // an endless number
      { file in file.sections[8] = TinyGazetteer.numbers(-1, 0, 0) },
      { file in file.sections[4] = TinyGazetteer.numbers(1 << 40, 0, 0) },
      { file in file.sections[0] = TinyGazetteer.text("JP\tJapan\n\n") },
      { file in file.sections[1] = TinyGazetteer.text("FR.11\tÎle-de-France\n\n") },
      { file in file.sections[2] = TinyGazetteer.text("\nEurope/Paris\n") },
    ] as [@Sendable (inout TinyGazetteer) -> Void])
  func impossible(_ spoil: @Sendable (inout TinyGazetteer) -> Void) throws {
    var file = TinyGazetteer()
    spoil(&file)
    let error = #expect(throws: GeoIndexError.self) { try read(file.bytes) }
    #expect(error?.code == .damagedGazetteer)
  }

  @Test("A missing file is an error of its own kind.")
  func missing() {
    let error = #expect(throws: GeoIndexError.self) { try GazetteerFile(contentsOf: "/nowhere/gazetteer.bin") }
    #expect(error?.code == .missingGazetteer)
  }
}
