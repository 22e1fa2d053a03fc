import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Hostile files of places")
struct HostilePlacesTests {
  /// Small valid files of formats with structure.
  private static func samples() throws -> [(name: String, bytes: [UInt8])] {
    let objects =
      [.node(1, 47.5, 11.25, ["name": "A", "natural": "peak", "ele": "2864", "name:de": "B"])]
      + OSMSample.square(2, 48, 12, half: 0.01, ["name": "C", "tourism": "museum"])
      + [
        .way(3, [20, 21], ["name": "D", "waterway": "river"]),
        .relation(
          4, [(1, 2, "outer"), (2, 4, ""), (0, 1, "label")], ["type": "boundary", "name": "E", "place": "town"]),
      ]
    let geoJSON =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"names":{"primary":"A","common":{"de":"B"}},"#
      + #""categories":{"primary":"museum"},"confidence":0.9},"geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4],[5,0],[1,2]]]]}},"#
      + #"{"type":"Feature","properties":{"name":"L"},"geometry":{"type":"LineString","coordinates":[[1e1,2],[3,4]]}}]}"#
    let kml =
      "<kml><Placemark><name>A</name><Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4 5,0 1,2</coordinates>"
      + "</LinearRing></outerBoundaryIs></Polygon></Placemark></kml>"
    let sparql =
      #"{"head":{"vars":["item"]},"results":{"bindings":[{"item":{"type":"uri","value":"http://www.wikidata.org/entity/Q1"},"#
      + #""itemLabel":{"value":"A"},"coord":{"value":"Point(1 2)"}}]}}"#
    let dump = "1\tA\tA\tB,C\t1.5\t2.5\tT\tPK\tDE\t\t\t\t\t\t0\t12\t13\tEurope/Berlin\t2020-01-01\n"
    return [
      ("dense PBF", try PBFSample().file(objects)),
      ("plain PBF", try PBFSample(packing: 1, isDense: false).file(objects)),
      ("raw PBF", try PBFSample(packing: 1).file(objects)),
      ("GeoJSON", Array(geoJSON.utf8)), ("SPARQL", Array(sparql.utf8)),
      ("KMZ", try ZipSample.archive([("doc.kml", Array(kml.utf8))])),
      ("stored KMZ", try ZipSample.archive([("doc.kml", Array(kml.utf8))], deflates: false)),
      ("zipped dump", try ZipSample.archive([("readme.txt", [65]), ("XX.txt", Array(dump.utf8))])),
      ("dump", Array(dump.utf8)),
    ]
  }

  /// The number of changed files of each sample: `make fuzz-places CASES=…` chooses another.
  private static let cases = ProcessInfo.processInfo.environment["METATAG_FUZZ_PLACES"].flatMap { Int($0) } ?? 400

  @Test("Every sample is imported as it is.")
  func valid() throws {
    let kept = try Kept()
    for sample in try Self.samples() { #expect(try kept.importBytes(sample.bytes).imported > 0, "\(sample.name)") }
  }

  @Test("Any changed, cut or repeated bytes are read or refused with an error.")
  func fuzz() throws {
    let scratch = try Scratch()
    var random = SeededGenerator(seed: 25)
    for sample in try Self.samples() {
      for _ in 0..<Self.cases {
        let path = try scratch.write(Self.changed(sample.bytes, &random), as: "fuzz").path
        var count = 0
        do {
          let file = try PlaceFile(path)
          let head = file.window.head
          guard let format = placeFormats.first(where: { $0.recognizes(head) }) else { continue }
          var surroundings = Surroundings(nil)
          try format.read(file) { entry in
            count += 1
            guard case .place(let draft, _) = entry else { return }
            #expect((0...1).contains(draft.importance ?? 0), "\(sample.name)")
            do { _ = try draft.place(source: "x", kind: .own, surroundings: &surroundings) } catch is PlaceDraft.Flaw {}
          }
        } catch is FileError {} catch let error as GeoIndexError { #expect(error.code == .badFile, "\(sample.name)") }
        #expect(count < 1_000, "\(sample.name)")
      }
    }
  }

  private static func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &random) {
      guard !bytes.isEmpty else { break }
      let at = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...5, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.replaceSubrange(at..<min(at + 10, bytes.count), with: [UInt8](repeating: 0xFF, count: 10))
      case 3: bytes.removeSubrange(at..<min(at + Int.random(in: 1...20, using: &random), bytes.count))
      case 4: bytes.insert(contentsOf: bytes[at..<min(at + 30, bytes.count)], at: at)
      default: bytes.removeLast(min(bytes.count, Int.random(in: 0...20, using: &random)))
      }
    }
    return bytes
  }

  @Test("Zip bombs, and archives with several files or none, are refused.")
  func archives() throws {
    let kept = try Kept()
    let row = Array("name,lat,lon\nA,1,2\n".utf8)
    let bomb = Array("name,lat,lon\n".utf8) + [UInt8](repeating: 0x0A, count: 80 << 20)
    var damaged = try ZipSample.archive([("a.csv", row)], deflates: false)
    damaged[40] ^= 1
    for (archive, part) in [
      (try ZipSample.archive([("a.csv", bomb)]), "suspiciously large"),
      (try ZipSample.archive([("a.csv", row), ("b.csv", row)]), "2 files, expected one: a.csv, b.csv"),
      (try ZipSample.archive([("readme.txt", row), ("folder/", [])]), "no file with places"),
      (Array(try ZipSample.archive([("a.csv", row)]).dropLast(30)), "truncated"), (damaged, "corrupt or truncated"),
    ] {
      let error = #expect(throws: GeoIndexError.self) { try kept.importBytes(archive) }
      #expect(error?.code == .badFile && error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
    #expect(try kept.importBytes(try ZipSample.archive([("x/a.csv", row), ("README.md", [1])])).imported == 1)
  }

  @Test("Names of ten million characters are refused or ignored.", arguments: ["name", "name:de", "alias"])
  func longNames(column: String) throws {
    let long = String(repeating: "x", count: 10_000_000)
    let kept = try Kept()
    let names = column == "name" ? "" : "name,"
    let report = try kept.importText(
      "\(names)\(column),lat,lon\n\(names.isEmpty ? "" : "A,")\(long),1,2\n", skipsBadEntries: true)
    #expect(report.imported == (column == "name" ? 0 : 1))
    let feature =
      #"{"type":"Feature","properties":{"name":"A","\#(column)":"\#(long)"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    _ = try kept.importText(feature, skipsBadEntries: true)
  }
}
