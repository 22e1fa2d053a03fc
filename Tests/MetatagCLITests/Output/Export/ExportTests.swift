import Foundation
import FoundationXML
import MetaTag
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Export of locations")
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
    var document = choice.document
    var bytes = document.begin()
    for photo in try ExportTests.photos() { bytes += document.add(photo) }
    return String(decoding: bytes + document.end(), as: UTF8.self)
  }

  @Test("Written GeoJSON can be read as a track.")
  func track() throws {
    let scratch = try Scratch()
    let file = try scratch.write(Array(try document(.geojson).utf8), as: "a.geojson")
    let json = try TrackReading(file.filePath).tracks[0]
    #expect(json.segments.flatMap(\.points).count == 1 && json.sources[0].rejected == [.noZone: 1])
  }

  @Test("GPX has times in UTC, and none without an offset.")
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

  @Test("KML and GeoJSON have the longitude first and are well-formed.")
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

  @Test("Control characters don't break the document.")
  func control() throws {
    let entry = String(decoding: GPXExport().entry(try ExportTests.photo("a\u{1}\n.jpg", nil)), as: UTF8.self)
    #expect(XMLParser(data: Data((GPXExport().head + entry + GPXExport().tail).utf8)).parse())
  }

  @Test(
    "The command exports located photos and names unreadable ones.",
    arguments: [ExportChoice.gpx, .kml, .geojson, .csv])
  func tool(choice: ExportChoice) throws {
    let (tool, folder) = (try Tool(), Corpus.project.appending(path: "SampleImages"))
    let answer = try tool("export", choice.rawValue, folder.path, folder.appending(path: "missing.jpg").path)
    #expect(answer.status == 1)
    #expect(answer.text.contains("borealis-04-viewpoint.jpg") && !answer.text.contains("borealis-05"))
    #expect(answer.errors.contains("missing.jpg") && answer.errors.contains("have no location and are left out"))
  }

  @Test("An unreadable journal is reported, and times are exported as recorded.")
  func journal() throws {
    let (tool, photo) = (try Tool(), Corpus.project.appending(path: "SampleImages/borealis-04-viewpoint.jpg"))
    let whole = try tool("export", "csv", photo.path)
    let state = tool.home.url.appending(path: "state/metatag")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try tool.home.write(Data("nonsense".utf8), as: "state/metatag/journal.db")
    let answer = try tool("export", "csv", photo.path)
    #expect(answer.status == 0 && answer.text == whole.text)
    #expect(answer.errors.contains("journal") && answer.errors.contains("as the photos record them"))
  }

  @Test("KMZ has a thumbnail of each photo, and the same bytes each time.", .enabled(if: Oracle.has("unzip")))
  func kmz() throws {
    let (tool, folder, scratch) = (try Tool(), Corpus.project.appending(path: "SampleImages"), try Scratch())
    let first = try tool("export", "kmz", "--thumbnail-size", "64", "--jobs", "3", folder.path)
    #expect(first.status == 0, "\(first.errors)")
    #expect(try tool("export", "kmz", "--thumbnail-size", "64", "--jobs", "1", folder.path).output == first.output)
    let file = try scratch.write(first.output, as: "day.kmz")
    let test = try Oracle.run("unzip", ["-t", file.path])
    #expect(test.status == 0 && test.text.contains("No errors detected"), "\(test.text)\(test.errors)")
    let picture = try Oracle.run("unzip", ["-p", file.path, "files/1.jpg"]).output
    #expect(picture.starts(with: [0xFF, 0xD8]) && picture.suffix(2) == Data([0xFF, 0xD9]))
    let kml = try Oracle.run("unzip", ["-p", file.path, "doc.kml"]).text
    #expect(XMLParser(data: Data(kml.utf8)).parse())
    #expect(kml.contains("<href>files/1.jpg</href>") && kml.contains("&lt;img src=&quot;files/1.jpg&quot;/&gt;"))
    // The track reader finds each photo that records its offset.
    let located = kml.components(separatedBy: "<Placemark>").count - 1
    let timed = kml.components(separatedBy: "\n").count { $0.contains("<when>") && $0.contains("+") }
    let track = try Track.read(file.filePath)
    #expect(located > 3 && timed > 1 && track.count == timed)
  }

  @Test("Text in an HTML description is escaped for HTML and XML.")
  func description() throws {
    var photo = try ExportTests.photo("a.jpg", nil)
    #expect(String(decoding: KMLExport().entry(photo), as: UTF8.self).contains("<description>A&lt;1&gt;</description>"))
    photo.thumbnail = [1]
    var kmz = KMZExport()
    let text = String(decoding: kmz.add(photo) + kmz.end(), as: UTF8.self)
    #expect(
      text.contains("<description>&lt;img src=&quot;files/1.jpg&quot;/&gt;&lt;br/&gt;A&amp;lt;1&amp;gt;</description>"))
  }

  @Test("A zip archive may have more files than 16 bits can count.", .enabled(if: Oracle.has("python3")))
  func manyFiles() throws {
    var zip = StoredZip()
    var bytes: [UInt8] = []
    for number in 0..<66_000 { bytes += zip.file("\(number)", [UInt8(number & 255)]) }
    let file = try Scratch()
    let archive = try file.write(bytes + zip.end(), as: "a.zip")
    let script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(z.namelist()), z.testzip(), z.read('65999'))"
    let answer = try Oracle.run("python3", ["-c", script, archive.path])
    #expect(answer.text == "66000 None b'\\xcf'\n", "\(answer.text)\(answer.errors)")
  }

  @Test("The checksum is that of zip.")
  func checkSum() { #expect(Bytes(Array("123456789".utf8)).crc == 0xCBF4_3926) }
}
