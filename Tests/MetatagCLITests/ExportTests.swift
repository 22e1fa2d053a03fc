import Foundation
import FoundationXML
import MetaTag
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Places, written down")
struct ExportTests {
  static func photo(_ path: FilePath, _ time: String?, altitude: Double? = nil) throws -> ExportedPhoto {
    var metadata = Metadata()
    metadata.captureTimes =
      try time.map { [Sourced(try CaptureTime(parsing: $0), .exif, tag: "DateTimeOriginal")] } ?? []
    let place = try Coordinate(parsing: "46.5,-14.25")
    metadata.locations = [Sourced(Location(place, altitude: altitude), .exif, tag: "GPSLatitude")]
    metadata.model = "A<1>"
    return try #require(ExportedPhoto(path, metadata))
  }

  static func photos() throws -> [ExportedPhoto] {
    [
      try photo("day/a \"b\" & c.jpg", "2024-05-18T12:44:30.5+02:00", altitude: -3.5),
      try photo("no offset.jpg", "2024-05-18T12:44:30"),
    ]
  }

  /// A whole document of the two photos.
  func document(_ choice: ExportChoice) throws -> String {
    let format = choice.format
    let entries = try ExportTests.photos().map { String(decoding: format.entry($0), as: UTF8.self) }
    return format.head + entries.joined(separator: format.separator) + format.tail
  }

  @Test("GPX has times in UTC, and none that isn't known")
  func gpx() throws {
    #expect(
      try document(.gpx) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="metatag" xmlns="http://www.topografix.com/GPX/1/1">
          <wpt lat="46.5" lon="-14.25">
            <ele>-3.5</ele>
            <time>2024-05-18T10:44:30.5Z</time>
            <name>a &quot;b&quot; &amp; c.jpg</name>
            <desc>A&lt;1&gt;</desc>
            <link href="day/a%20%22b%22%20%26%20c.jpg"/>
          </wpt>
          <wpt lat="46.5" lon="-14.25">
            <name>no offset.jpg</name>
            <desc>A&lt;1&gt;</desc>
            <link href="no%20offset.jpg"/>
          </wpt>
        </gpx>

        """)
  }

  @Test("KML and GeoJSON have longitude first, and are well-formed")
  func others() throws {
    let kml = try document(.kml)
    #expect(kml.contains("<altitudeMode>absolute</altitudeMode><coordinates>-14.25,46.5,-3.5</coordinates>"))
    #expect(kml.contains("<when>2024-05-18T12:44:30</when>"))
    #expect(XMLParser(data: Data(kml.utf8)).parse())
    let json = try JSONSerialization.jsonObject(with: Data(try document(.geojson).utf8)) as? [String: Any]
    let features = try #require(json?["features"] as? [[String: Any]])
    #expect(features.count == 2)
    #expect((features[0]["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [-14.25, 46.5, -3.5])
    #expect((features[0]["properties"] as? [String: Any])?["path"] as? String == "day/a \"b\" & c.jpg")
    #expect(
      try document(.csv).hasSuffix("no offset.jpg,46.5,-14.25,,2024-05-18T12:44:30,A<1>\r\n"))
  }

  @Test("control characters never break the document")
  func control() throws {
    let entry = String(decoding: GPXExport().entry(try ExportTests.photo("a\u{1}\n.jpg", nil)), as: UTF8.self)
    #expect(XMLParser(data: Data((GPXExport().head + entry + GPXExport().tail).utf8)).parse())
  }

  @Test("as a user runs it: located photos only, what can't be read is named", arguments: ExportChoice.allCases)
  func tool(choice: ExportChoice) throws {
    let (tool, folder) = (try Tool(), Corpus.project.appending(path: "SampleImages"))
    let answer = try tool("export", choice.rawValue, folder.path, folder.appending(path: "missing.jpg").path)
    #expect(answer.status == 1)
    #expect(answer.text.contains("borealis-04-viewpoint.jpg") && !answer.text.contains("borealis-05"))
    #expect(answer.errors.contains("missing.jpg") && answer.errors.contains("record no place and are left out"))
  }
}
