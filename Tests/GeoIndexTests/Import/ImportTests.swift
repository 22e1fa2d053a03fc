import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Importing places")
struct ImportTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  @Test(
    "Coordinates are read as people write them.",
    arguments: [
      ("35.0116", "135.7681", 35.0116, 135.7681), ("-33.8568", "+151.2153", -33.8568, 151.2153),
      ("35°00′41.8″N", "135°46′05″E", 35.0116, 135.7681), ("33°51'24.5\"S", "151°12'55.1\"E", -33.8568, 151.2153),
      ("-33 51 24.5", "151 12 55.1", -33.8568, 151.2153), ("N35 00.69", "E135 46.09", 35.0115, 135.7682),
      ("35,0116", "135,7681", 35.0116, 135.7681), ("35", "135", 35, 135), ("90", "-180", 90, -180),
      ("４７．５", "１０", 47.5, 10), ("3e-05", "1E2", 0.00003, 100), ("-4.5e+1", "+1.5E-1", -45, 0.15),
    ])
  func positions(latitude: String, longitude: String, north: Double, east: Double) throws {
    let point = try PlaceDraft.point(latitude: latitude, longitude: longitude)
    #expect(abs(point.latitude - north) < 1e-4 && abs(point.longitude - east) < 1e-4)
  }

  @Test(
    "Text that isn't a coordinate is refused.",
    arguments: [
      ("91", "0"), ("0", "181"), ("nan", "0"), ("1e2", "0"), ("1e", "0"), ("e1", "0"), ("1e1.5", "0"), ("1e999", "0"),
      ("0x10", "0"), ("", "0"), ("35N", "135N"),
      ("north", "east"),
      ("35°61'", "135"), ("inf", "0"), ("1,234,567", "0"), ("135E", "35N0"),
      ("४७.5", "10"), ("47½", "10"), ("10", "४७.5"), ("48°30\"", "2"), ("48.5°30'", "2"),
    ])
  func noPositions(latitude: String, longitude: String) {
    #expect(throws: PlaceDraft.Flaw.self) { try PlaceDraft.point(latitude: latitude, longitude: longitude) }
  }

  @Test(
    "Columns are found by their headings, and the delimiter is detected.",
    arguments: [
      "name,latitude,longitude,altitude,alternate names,category\nHut,47.5,11.25,2100,Hütte;Rifugio,hut\n",
      "\u{FEFF}Lon;Lat;NAME;Ele;Aliases;Type\r\n11,25;47,5;Hut;2100;\"Hütte|Rifugio\";hut\r\n",
      "Place Name\tCoordinates\televation\tname:de\tname:it\tCATEGORY\n\nHut\t47.5, 11.25\t2100\tHütte\tRifugio\thut",
    ])
  func headings(text: String) throws {
    #expect(try kept.importText(text).imported == 1)
    let place = try #require(try kept.all().first)
    #expect(place.name == "Hut" && place.latitude == 47.5 && place.longitude == 11.25)
    #expect(place.own == .init(source: "mine", category: nil, altitude: 2_100, radius: 250))
    #expect(place.kind == .hut)
    for alias in ["Hütte", "hutte", "Rifugio"] {
      #expect(try kept.gazetteer().search(alias).map(\.place.name) == ["Hut"])
    }
  }

  @Test("A table may have several columns of other names.")
  func twoColumnsOfNames() throws {
    #expect(try kept.importText("name,lat,lon,alias,alias\nA,1,2,Bee,Cee\n").imported == 1)
    for name in ["Bee", "Cee"] { #expect(try kept.gazetteer().search(name).map(\.place.name) == ["A"]) }
  }

  @Test("A table with a name in each language has the English one as its name, or the first.")
  func namesByLanguage() throws {
    #expect(try kept.importText("lat,lon,name_de,name_en\n48.2,16.4,Wien,Vienna\n").imported == 1)
    #expect(try kept.all().map(\.name) == ["Vienna"])
    #expect(try kept.gazetteer().search("Wien").map(\.place.name) == ["Vienna"])
    #expect(try kept.importText("lat,lon,name_de,name_sl,name_len\n46.4,14.1,Veldes,Bled,4\n").imported == 1)
    #expect(try kept.all().map(\.name) == ["Veldes"])
  }

  @Test(
    "Altitudes use the decimal separator of the row's coordinates.",
    arguments: [
      ("47,5;11,25;2.100", 2_100), ("47,5;11,25;2100,5", 2_100.5), ("47,5;11,25;1.002.100,5", 1_002_100.5),
      ("47.5;11.25;2100 m", 2_100), ("47.5;11.25;2100m", 2_100), ("47,5;11,25;21.5", 21.5), ("47.5;11.25;2.100", 2.1),
      ("47;11;2.100", 2.1),
    ])
  func altitudes(row: String, metres: Double) throws {
    #expect(try kept.importText("name;latitude;longitude;altitude\nHut;\(row)\n").imported == 1)
    #expect(try kept.all().first?.own?.altitude == metres)
  }

  @Test(
    "Numbers with exponents are read in every format.",
    arguments: [
      "name,lat,lon\nA,3e-05,1E2\n", "name\tcoordinates\nA\t3e-05, 1E2\n",
      #"{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[1E2,3e-05]}}"#,
    ])
  func exponents(text: String) throws {
    #expect(try kept.importText(text).imported == 1)
    let place = try #require(try kept.all().first)
    #expect(place.latitude == 3e-05 && place.longitude == 100)
  }

  @Test("A category that names a kind is the kind, and any other text stays the category.")
  func categories() throws {
    try kept.importText("name,lat,lon,category\nA,1,2,Museum\nB,1,3,theme-park\nC,1,4,bakery\nD,1,5,coordinate\n")
    #expect(try kept.all().map(\.kind) == [.museum, .themePark, .own, .own])
    #expect(try kept.all().map(\.own?.category) == [nil, nil, "bakery", nil])
  }

  @Test("Excel's first line with the delimiter is not a heading.")
  func separator() throws {
    #expect(try kept.importText("sep=;\r\nname;latitude;longitude\r\nHut, old;47,5;11,25\r\n").imported == 1)
    #expect(try kept.all().map(\.name) == ["Hut, old"])
  }

  @Test("Google's saved places have their names in an object.")
  func savedPlaces() throws {
    let place = #"{"address":"Gate 1, London","country_code":"GB","name":"The Old Inn"}"#
    let feature =
      #"{"geometry":{"coordinates":[-0.12,51.5],"type":"Point"},"properties":{"date":"2024-05-23T09:38:41Z","#
      + #""google_maps_url":"http://maps.google.com/?cid=1","location":\#(place)},"type":"Feature"}"#
    #expect(try kept.importText(#"{"type":"FeatureCollection","features":[\#(feature)]}"#).imported == 1)
    let found = try #require(try kept.all().first)
    #expect(found.name == "The Old Inn" && found.countryCode == "GB" && found.latitude == 51.5)
  }

  @Test("A heading with as many commas as separators is read, also after empty lines.")
  func commasInHeading() throws {
    #expect(try kept.importText("\n\nname;lat, lon\nHut;47.5, 11.25\n").imported == 1)
    #expect(try kept.importText("\"name\";\"lat, long, WGS 84\";latitude;longitude\nHut;x;47.5;11.25\n").imported == 1)
  }

  @Test("XML is read whose text, comment or attribute is longer than a piece of the file.")
  func longXML() throws {
    let long = String(repeating: "a &amp; b ", count: 100_000)
    let text =
      "<!--\(long)--><gpx><x a='\(long)'/><desc>\(long)</desc><wpt lat='1' lon='2'><name>Hut</name><desc><![CDATA[\(long)]]></desc></wpt></gpx>"
    // The format is detected in the first 64 KiB.
    #expect(throws: GeoIndexError.self) { try kept.importText(text) }
    #expect(try kept.importText(String(text.dropFirst(long.count + 7))).imported == 1)
    #expect(try kept.all().map(\.name) == ["Hut"])
  }

  @Test("An entity that XML doesn't define is refused, also in a text that isn't used.")
  func unknownEntity() throws {
    let error = #expect(throws: GeoIndexError.self) {
      try kept.importText("<gpx><wpt lat='1' lon='2'><name>A</name><desc>a&nbsp;b</desc></wpt></gpx>")
    }
    #expect(error?.description.contains("unknown entity") == true, "\(error?.description ?? "")")
    // Exporters write bare ampersands in ids.
    #expect(
      try kept.importText(
        "<kml><Placemark id='a&b'><name>A</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>"
      ).imported == 1)
  }

  @Test("Quotes, delimiters and line ends are kept inside quotation marks.")
  func quotes() throws {
    try kept.importText("name,lat,lon\r\n\"The \"\"Old\"\", Inn\nby the sea\",1,2\r\rB,3,4")
    #expect(try kept.all().map(\.name) == ["B", "The \"Old\", Inn\nby the sea"])
  }

  @Test(
    "An error names the row and the fault.",
    arguments: [
      ("name,lat,lon\nA,1,2\nB,1\n", "row 3: it has no latitude and longitude"),
      ("name,lat,lon\nA,1,2,3\n", "row 2: it has 4 columns"), ("name,lat,lon,ele\nA,1,2,high\n", "row 2: its altitude"),
      ("name,lat,lon\n\"A\nB\",1,2\nC,x,2\n", "row 3: latitude 'x'"),
      ("name,lat,lon,population\nA,1,2,-5\n", "row 2: its population"),
      ("name,lat,lon\n\(String(repeating: "A", count: 500)),1,2", "longer than 400"),
      ("place,where\nA,1\n", "it has: place, where"),
      ("\(String(repeating: "a", count: 300)),where\nA,1\n", "it has: \(String(repeating: "a", count: 40))…, where"),
      ("name,latitude,latitude,longitude\nA,1,2,3\n", "two columns are named 'latitude': remove one of them"),
      ("name,lat,lon,ele\nA,1,2,2100 ft\n", "row 2: its altitude"),
      ("name,lat,lon\n\"A,1,2\n", "unterminated quoted field"),
    ])
  func flaws(text: String, part: String) throws {
    let error = #expect(throws: GeoIndexError.self) { try kept.importText(text) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(try kept.places.sources().isEmpty)
  }

  @Test("Text that isn't UTF-8 is reported.")
  func notUTF8() throws {
    let report = try kept.importBytes(
      Array("name,lat,lon\nH".utf8) + [0xFC] + Array("tte,1,2\n".utf8), skipsBadEntries: true)
    #expect(report.flaws == ["row 2: it is not valid UTF-8"])
  }

  @Test(
    "A file that contains no places is refused.",
    arguments: [[], [0, 1, 2], Array("\u{FF}\u{D8}\u{0}".utf8)] as [[UInt8]])
  func unknown(bytes: [UInt8]) {
    let error = #expect(throws: GeoIndexError.self) { try kept.importBytes(bytes) }
    #expect(error?.code == .badFile)
  }

  @Test("A second import of a name replaces the first, and the same places keep their numbers.")
  func again() throws {
    try kept.importText("id,name,lat,lon\n,A,1,2\n,B,3,4\n7,C,5,6\n")
    try kept.importText("name,lat,lon\nOther,1,2\n", as: "other")
    let before = try kept.all()
    try kept.importText("id,name,lat,lon\n7,C moved,5,7\n,A,1,2\n")
    let after = try kept.all()
    #expect(after.map(\.name) == ["A", "C moved", "Other"])
    #expect(after.map(\.id) == [before[0].id, before[2].id, before[3].id])
    #expect(try kept.places.sources().map { "\($0.name) \($0.count) \($0.format)" } == ["mine 2 CSV", "other 1 CSV"])
    #expect(try kept.places.remove(source: "mine") == 2)
    #expect(try kept.all().map(\.name) == ["Other"])
    #expect(try kept.places.remove(source: "mine") == nil)
  }

  @Test(
    "XML is read in its declared encoding.",
    arguments: [
      ("ISO-8859-1", [0x5A, 0xFC], "Zü"), ("windows-1251", [0xCC, 0xEE], "Мо"), ("windows-1252", [0x80], "€"),
      ("iso-8859-15", [0xA4], "€"), ("UTF-8", [0xC3, 0xBC], "ü"), ("KOI8-R", [0xED], "М"),
    ] as [(String, [UInt8], String)])
  func declared(encoding: String, bytes: [UInt8], text: String) throws {
    let head = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>"
    try kept.importBytes(
      Array("\(head)<gpx><wpt lat=\"1\" lon=\"2\"><name>".utf8) + bytes + Array("</name></wpt></gpx>".utf8))
    #expect(try kept.all().map(\.name) == [text])
    try kept.importBytes(
      Array("\(head)<kml><Placemark><name>".utf8) + bytes
        + Array("</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>".utf8))
    #expect(try kept.all().map(\.name) == [text])
  }

  @Test("UTF-8 is read in spite of a wrong declaration.")
  func misdeclared() throws {
    for (mark, encoding) in [([0xEF, 0xBB, 0xBF], "ISO-8859-1"), ([], "utf-16")] as [([UInt8], String)] {
      let text = "<?xml version='1.0' encoding='\(encoding)'?><gpx><wpt lat='1' lon='2'><name>Zürich</name></wpt></gpx>"
      try kept.importBytes(mark + Array(text.utf8))
      #expect(try kept.all().map(\.name) == ["Zürich"])
    }
  }

  @Test(
    "XML in an unknown or wrong encoding is refused.",
    arguments: [
      (" encoding='Shift_JIS'", "'shift_jis'"), (" encoding='UTF-8'", "not valid UTF-8"), ("", "not valid UTF-8"),
      (" encoding='windows-1253'", "is not valid in the encoding"),
    ])
  func undeclared(declaration: String, part: String) throws {
    for (start, end) in [
      ("<gpx><wpt lat='1' lon='2'><name>", "</name></wpt></gpx>"),
      (
        "<kml><Placemark><name>", "</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>"
      ),
    ] {
      let error = #expect(throws: GeoIndexError.self) {
        try kept.importBytes(
          Array("<?xml version='1.0'\(declaration)?>\(start)".utf8) + [0xFF, 0xD2] + Array(end.utf8))
      }
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
    #expect(try kept.all().isEmpty)
  }

  @Test("A collection with one point is a place, and one with several is reported.")
  func collections() throws {
    func feature(_ geometry: String) -> String {
      #"{"type":"Feature","properties":{"name":"A"},"geometry":\#(geometry)}"#
    }
    let (point, line) = (
      #"{"type":"Point","coordinates":[2,1]}"#, #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
    )
    for geometry in [
      #"{"type":"MultiPoint","coordinates":[[2,1]]}"#,
      #"{"type":"GeometryCollection","geometries":[\#(line),\#(point)]}"#,
    ] {
      #expect(try kept.importText(feature(geometry)).imported == 1)
      #expect(try kept.all().map { [$0.latitude, $0.longitude] } == [[1, 2]])
    }
    for geometry in [
      #"{"type":"MultiPoint","coordinates":[[2,1],[3,4]]}"#,
      #"{"type":"GeometryCollection","geometries":[\#(point),\#(point)]}"#,
    ] {
      let error = #expect(throws: GeoIndexError.self) { try kept.importText(feature(geometry)) }
      #expect(error?.description.contains("feature 1: it has 2 points") == true)
    }
    let lines = #"{"type":"GeometryCollection","geometries":[\#(line)]}"#
    #expect(try kept.importText(feature(lines)).imported == 1)
  }

  @Test("An entry with another's id is refused, and the message names both.")
  func sameID() throws {
    let error = #expect(throws: GeoIndexError.self) {
      try kept.importText("name,lat,lon,id\nA,47,11,7\nB,48,12,7\n")
    }
    #expect(error?.description.contains("row 3: its id '7' is already used by 'A'") == true)
    #expect(try kept.importText("name,lat,lon,id\nA,47,11,7\nA,47,11,7\n").duplicates == 1)
  }

  @Test("Duplicates are counted.")
  func duplicates() throws {
    let report = try kept.importText("name,lat,lon\nA,1,2\nA,1,2\nA,1,3\n")
    #expect(report.imported == 2 && report.duplicates == 1)
  }

  @Test(
    "A sequence of GeoJSON features may have one per line or RFC 8142 separators.", arguments: ["\n", "\n\u{1E}", ""])
  func sequence(separator: String) throws {
    let feature = FormatSample.all[1].place
    let text = separator + [feature("A", "1", "2"), feature("B", "3", "4")].joined(separator: separator)
    #expect(try kept.importText(text).imported == 2)
    #expect(try kept.importText(#"{"type":"FeatureCollection","features":[]}"#).imported == 0)
  }

  @Test("A malformed feature costs only itself, and NaN is not a value.")
  func malformedFeatures() throws {
    func feature(_ name: String, _ more: String) -> String {
      #"{"type":"Feature","properties":{"name":"\#(name)"\#(more)},"geometry":{"type":"Point","coordinates":[2,1]}}"#
    }
    let features = [
      feature("A", #","x":NaN,"y":[{"z":"}\"]"}]"#), feature("B", #","x":nothing"#), "7", feature("C", ""),
      feature("D", #","geonameid":9007199254740993"#), feature("D", #","geonameid":9007199254740992"#),
    ].joined(separator: ",")
    let report = try kept.importBytes(
      Array(#"{"name":[{"features":[]}],"features":[\#(features)],"more":{}}"#.utf8), skipsBadEntries: true)
    #expect(report.flaws == ["feature 2: it is not a GeoJSON feature"])
    #expect(report.imported == 4)
    #expect(try kept.all().map(\.name) == ["A", "C", "D", "D"])
  }

  @Test(
    "JSON that is cut, unbalanced or nested too deep is refused.",
    arguments: [
      "{", "{\"features\":[{}", "{\"features\":[}", "{\"a\":}", "{}}", "{\"a\":\"", "{a:1}",
      "{\"a\":" + String(repeating: "[", count: 400),
    ])
  func brokenJSON(text: String) throws {
    let error = #expect(throws: GeoIndexError.self) { try kept.importText(text) }
    #expect(error?.code == .badFile)
  }

  @Test("Names of KML folders are categories, and CDATA is text.")
  func kml() throws {
    try kept.importText(
      "<kml:kml xmlns:kml=\"x\"><kml:Folder><kml:name>Alps</kml:name><kml:Folder><kml:name>Huts</kml:name><kml:Placemark>"
        + "<kml:name><![CDATA[A & B]]></kml:name><kml:Point><kml:coordinates>11.25,47.5,2100</kml:coordinates></kml:Point>"
        + "</kml:Placemark></kml:Folder></kml:Folder></kml:kml>")
    let place = try #require(try kept.all().first)
    #expect(place.name == "A & B" && place.own?.category == "Alps/Huts" && place.own?.altitude == 2_100)
  }

  @Test(
    "Invalid XML and XML bombs are refused.",
    arguments: [
      "<!DOCTYPE gpx [<!ENTITY a \"aaaa\">]><gpx></gpx>", "<gpx><wpt></gpx>", "<gpx>&a;</gpx>", "<gpx></gpx><gpx/>",
      "<gpx>" + String(repeating: "<a>", count: 400), "<gpx a></gpx>", "<gpx a=b></gpx>", "<gpx><![CDATA[",
      String(repeating: "<!---->", count: 200) + "x",
    ])
  func hostileXML(text: String) throws {
    let error = #expect(throws: GeoIndexError.self) { try kept.importText(text) }
    #expect(error?.code == .badFile)
  }

  @Test("A document type is skipped, and a file that begins with < is never a table.")
  func documentType() throws {
    let gpx = "<gpx><wpt lat='1' lon='2'><name>A</name></wpt></gpx>"
    for declaration in ["<!DOCTYPE gpx>", "<!-- a -->\n<!DOCTYPE gpx SYSTEM \"http://a.b/>[gpx.dtd\" >\n"] {
      #expect(try kept.importText("<?xml version='1.0'?>\n" + declaration + gpx).imported == 1)
    }
    for (text, reason) in [
      ("<!DOCTYPE gpx [<!ENTITY a \"b]>\">]>" + gpx, "internal subset"),
      ("<gpx><!DOCTYPE gpx></gpx>", "document type declaration"),
      ("\n<html><p>A,1,2</p></html>", "root element is <html>"),
      ("<name,lat,lon\nA,1,2", "unknown file format"), ("", "the file is empty"),
    ] {
      let error = #expect(throws: GeoIndexError.self) { try kept.importText(text) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
    let packed = #expect(throws: GeoIndexError.self) { try kept.importBytes([0x1F, 0x8B, 8, 0, 1, 2, 3, 4]) }
    #expect(packed?.description.contains("gzip") == true)
  }

  @Test("Every real file is read or refused with the reason.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    let files = Corpus.files("corpus/track").filter { ["gpx", "kml"].contains($0.pathExtension) }
    try #require(files.count > 30)
    var refused: [String] = []
    for file in files {
      var options = PlaceImport(source: file.lastPathComponent)
      options.skipsBadEntries = true
      do {
        let report = try kept.places.importPlaces(from: file, options, in: nil, at: .distantPast)
        let text = try String(contentsOf: file, encoding: .isoLatin1)
        let entries =
          file.pathExtension == "gpx"
          ? text.matches(of: /<(wpt|trk|rte)[\s>\/]/).count : text.components(separatedBy: "<Placemark").count - 1
        #expect(
          report.imported + report.duplicates + report.shapes + report.bad == entries, "\(file.lastPathComponent)")
      } catch { refused.append("\(file.lastPathComponent): \(error)") }
    }
    #expect(refused.count <= 6, "\(refused)")
  }
}
