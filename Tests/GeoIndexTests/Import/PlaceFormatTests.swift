import Foundation
import TestSupport
import Testing

@testable import GeoIndex

/// The requirements on every format.
struct FormatSample: Sendable, CustomTestStringConvertible {
  let format: String
  /// A file with these entries between its beginning and its end.
  let file: @Sendable ([String]) -> String
  /// A place: name, latitude, longitude.
  let place: @Sendable (String, String, String) -> String
  /// The name of the second entry in an error message.
  let second: String
  /// An entry that is a line, or nil if the format has none.
  let shape: String?
  /// The length without which the file is cut off, or nil if a table may end anywhere.
  let cut: Int?

  var testDescription: String { format }

  static let all = [
    FormatSample(
      format: "CSV", file: { "name,lat,lon\n" + $0.map { $0 + "\n" }.joined() }, place: { "\"\($0)\",\($1),\($2)" },
      second: "row 3", shape: nil, cut: nil),
    FormatSample(
      format: "GeoJSON",
      file: { #"{"type":"FeatureCollection","x":{"features":[1]},"features":["# + $0.joined(separator: ",") + "]}" },
      place: {
        #"{"type":"Feature","properties":{"name":"\#($0)","y":null},"geometry":{"type":"Point","coordinates":[\#($2),\#($1)]}}"#
      }, second: "feature 2",
      shape: #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}"#, cut: 2
    ),
    FormatSample(
      format: "KML",
      file: { "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<kml><Document><name>x</name>\($0.joined())</Document></kml>" },
      place: { "<Placemark><name>\($0)</name><Point><coordinates> \($2),\($1),0 </coordinates></Point></Placemark>" },
      second: "placemark 2",
      shape: "<Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>", cut: 7),
    FormatSample(
      format: "GPX", file: { "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">\($0.joined())<trk/></gpx>" },
      place: { "<wpt lat=\"\($1)\" lon='\($2)'><ele>7</ele><name>\($0)</name></wpt>" }, second: "waypoint 2",
      shape: nil, cut: 7),
    FormatSample(
      format: "GeoNames", file: { $0.joined(separator: "\n") + "\n" },
      place: {
        "\(number($0))\t\($0)\t\($0)\t\t\($1)\t\($2)" + String(repeating: "\t", count: 12) + "Europe/Paris\t2020-01-01"
      }, second: "line 2", shape: nil, cut: nil),
    FormatSample(
      format: "Wikidata", file: { "item,itemLabel,coord\n" + $0.map { $0 + "\n" }.joined() },
      place: { "http://www.wikidata.org/entity/Q\(number($0)),\"\($0)\",Point(\($2) \($1))" }, second: "row 3",
      shape: nil, cut: nil),
  ]

  /// A number that is different for each name.
  private static func number(_ name: String) -> UInt64 {
    name.utf8.reduce(7) { ($0 &* 31 &+ UInt64($1)) % 1_000_000_007 }
  }
}

@Suite("Every format of places")
struct PlaceFormatTests {
  @Test("Every format of text has a sample.")
  func complete() {
    #expect(Set(FormatSample.all.map(\.format)) == Set(placeFormats.map(\.name)).subtracting(["OSM PBF"]))
  }

  @Test("Names and coordinates are imported as they are.", arguments: FormatSample.all)
  func places(sample: FormatSample) throws {
    let kept = try Kept()
    let report = try kept.importText(
      sample.file([
        sample.place("Hütte 京都", "-45.25", "170.5"), sample.place("B&amp;B".inFormat(sample), "1", "-179.5"),
      ]))
    #expect(report.format == sample.format && report.imported == 2 && report.bad == 0)
    let places = try kept.all()
    #expect(places.map(\.name) == ["B&B", "Hütte 京都"])
    #expect(places.map(\.latitude) == [1, -45.25] && places.map(\.longitude) == [-179.5, 170.5])
    #expect(places.allSatisfy { $0.own?.source == "mine" && $0.kind == .own && $0.id < -(1 << 52) })
  }

  @Test("An entry that can't be a place is named, and nothing is imported.", arguments: FormatSample.all)
  func bad(sample: FormatSample) throws {
    let kept = try Kept()
    try kept.importText(sample.file([sample.place("Old", "1", "2")]))
    let spoilt = sample.file([
      sample.place("New", "3", "4"), sample.place("Nowhere", "91", "5"), sample.place("Newer", "5", "6"),
    ])
    let error = #expect(throws: GeoIndexError.self) { try kept.importText(spoilt) }
    #expect(error?.code == .badFile)
    #expect(error?.description.contains("\(sample.second):") == true, "\(error?.description ?? "")")
    #expect(try kept.all().map(\.name) == ["Old"])
    let report = try kept.importText(spoilt, skipsBadEntries: true)
    #expect(report.imported == 2 && report.bad == 1 && report.flaws.count == 1)
    #expect(try kept.all().map(\.name) == ["New", "Newer"])
  }

  @Test("An entry without a name is bad.", arguments: FormatSample.all)
  func nameless(sample: FormatSample) throws {
    let report = try Kept().importText(sample.file([sample.place(" ", "1", "2")]), skipsBadEntries: true)
    #expect(report.imported == 0 && report.flaws.first?.hasSuffix("it has no name") == true)
  }

  @Test(
    "Lines and areas without a name are counted and not imported.",
    arguments: FormatSample.all.filter { $0.shape != nil })
  func shapes(sample: FormatSample) throws {
    let report = try Kept().importText(sample.file([sample.shape ?? "", sample.place("A", "1", "2")]))
    #expect(report.shapes == 1 && report.imported == 1 && report.bad == 0)
  }

  @Test(
    "A file that breaks off is refused, and nothing of it is imported.",
    arguments: FormatSample.all.filter { $0.cut != nil })
  func brokenOff(sample: FormatSample) throws {
    let kept = try Kept()
    let text = sample.file([sample.place("A", "1", "2"), sample.place("B", "1", "2")])
    for count in [sample.cut ?? 0, 20, 60] {
      let error = #expect(throws: GeoIndexError.self) { try kept.importText(String(text.dropLast(count))) }
      #expect(error?.code == .badFile)
    }
    #expect(try kept.all().isEmpty)
  }

  @Test("UTF-16 is read in either byte order, with its mark.", arguments: FormatSample.all, [true, false])
  func utf16(sample: FormatSample, isBigEndian: Bool) throws {
    let kept = try Kept()
    let text = sample.file((0..<3_000).map { sample.place("東京 🗼 \($0)", "1.\($0)", "2") })
    let units = [0xFEFF] + Array(text.utf16)
    let bytes = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let swapped = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try kept.importBytes(isBigEndian ? bytes : swapped).imported == 3_000)
    #expect(try kept.all().allSatisfy { $0.name.hasPrefix("東京 🗼 ") })
  }

  @Test("Any changed byte is imported or refused.", arguments: FormatSample.all)
  func fuzz(sample: FormatSample) throws {
    let kept = try Kept()
    var generator = SeededGenerator(seed: 4)
    let text = Array(
      sample.file([sample.place("Ax", "1", "2"), sample.shape ?? "", sample.place("By", "3", "4")]).utf8)
    for _ in 0..<300 {
      var bytes = text
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      do { try kept.importBytes(bytes, skipsBadEntries: true) } catch let error as GeoIndexError {
        #expect(error.code == .badFile)
      }
    }
  }
}

extension String {
  /// With the entity resolved if the format has none.
  fileprivate func inFormat(_ sample: FormatSample) -> String {
    ["KML", "GPX"].contains(sample.format) ? self : replacing("&amp;", with: "&")
  }
}
