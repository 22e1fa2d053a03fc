import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Tables of locations")
struct PlaceTableTests {
  /// The content of each row as text: `latitude longitude altitude direction time`, or the reason for none.
  static func rows(_ text: String, _ rules: PlaceTable.Rules = PlaceTable.Rules()) throws -> [String] {
    try rows(Array(text.utf8), rules)
  }

  static func rows(_ bytes: [UInt8], _ rules: PlaceTable.Rules = PlaceTable.Rules()) throws -> [String] {
    try PlaceTable(bytes: bytes, rules: rules).rows.map { row in
      let words: String
      switch row.content {
      case .failure(let failure): words = Reason.table(failure).values
      case .success(let entry):
        let values: [Any?] = [
          entry.coordinate?.latitude, entry.coordinate?.longitude, entry.altitude,
          entry.direction.map { "\($0.degrees)\($0.reference.rawValue)" }, entry.time,
        ]
        words = values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
      }
      return "\(row.name): \(words)"
    }
  }

  @Test("Missing values of pandas are empty, and its index column is ignored.")
  func pandas() throws {
    let text =
      ",name,latitude,longitude,altitude (m),taken\n0,a,46.5,14.5,NaN,NaT\n1,nan,47.0,15.0,300.0,\n2,c,NaN,NaN,,"
    let table = try PlaceTableTests.rows(text)
    #expect(table[0] == "a: 46.5 14.5 - - -")
    #expect(table[1] == "nan: 47.0 15.0 300.0 - -")
    #expect(table[2] == "c: emptyRow(4)")
  }

  @Test("A file that isn't a table is refused, and one without a name column lists the possible headings.")
  func orphans() {
    let refusal = { (bytes: [UInt8]) in
      #expect(throws: FileError.self) { try PlaceTable(bytes: bytes, rules: PlaceTable.Rules()) }?.description ?? ""
    }
    let picture = refusal([0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10] + Array("JFIF,a,b\n".utf8))
    #expect(picture.contains("is not a table") && !picture.contains("JFIF"), "\(picture)")
    #expect(refusal(Array("Title,Latitude,Longitude\na,1,2\n".utf8)).contains("SourceFile, path, FileName or name"))
  }

  @Test(
    "A date's zone and fraction are read in common forms, and unreadable ones are reported.",
    arguments: [
      ("+9:00", "5", "10:00:00.5+09:00", nil), ("+9", "0.601", "10:00:00.601+09:00", nil),
      ("UTC", "", "10:00:00+00:00", nil), ("Asia/Tokyo", "", "10:00:00+09:00", nil),
      ("+5:45", "", "10:00:00+05:45", nil), ("JST", "", "10:00:00", "'JST' is not an offset from UTC"),
      ("+25:00", "", "10:00:00", "'+25:00' is not an offset from UTC"),
      ("Z", "x", "10:00:00+00:00", "'x' is not a fraction"),
    ])
  func zones(zone: String, fraction: String, time: String, remark: String?) throws {
    let head = "SourceFile,DateTimeOriginal,SubSecTimeOriginal,OffsetTimeOriginal\n"
    let table = try PlaceTable(
      bytes: Array((head + "a,2024:05:23 10:00:00,\(fraction),\(zone)\n").utf8), rules: PlaceTable.Rules())
    guard case .success(let entry)? = table.rows.first?.content else { throw ParseError("no row") }
    #expect(entry.time.map { "\($0)" } == "2024-05-23T" + time)
    #expect(table.notes.contains { $0.contains(remark ?? "ignored") } == (remark != nil), "\(table.notes)")
    let other = try PlaceTable(
      bytes: Array((head + "a,2024:05:23 10:00:00+02:00,,+09:00\n").utf8), rules: PlaceTable.Rules())
    #expect(other.notes.contains { $0.contains("'+09:00' is not the offset of 2024-05-23T10:00:00+02:00") })
  }

  @Test(
    "Degrees are read as programs write them, each with its hemisphere.",
    arguments: [
      // exiftool -csv -c %+.8f, its Composite tags, and with -n
      ("SourceFile,GPSLatitude,GPSLongitude\na,-33.50000000,+151.25000000", "-33.5 151.25"),
      ("SourceFile,GPSLatitude,GPSLongitude\na,\"33 deg 30' 0.00\"\" S\",\"151 deg 15' 0.00\"\" E\"", "-33.5 151.25"),
      ("SourceFile,GPSPosition\na,\"33 deg 30' 0.00\"\" S, 151 deg 15' 0.00\"\" W\"", "-33.5 -151.25"),
      ("SourceFile,GPSPosition\na,-33.5 151.25", "-33.5 151.25"),
      ("SourceFile,GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef\na,33.5,S,151.25,E", "-33.5 151.25"),
      ("SourceFile,GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef\na,-33.5,S,151.25,East", "-33.5 151.25"),
      // exiftool -csv -G1 -a: of the same tag, Composite has the letter
      (
        "SourceFile,GPS:GPSLatitude,Composite:GPSLatitude,GPS:GPSLongitude,Composite:GPSLongitude\n"
          + "a,\"33 deg 30' 0.00\"\"\",\"33 deg 30' 0.00\"\" S\",\"151 deg 15' 0.00\"\"\",\"151 deg 15' 0.00\"\" E\"",
        "-33.5 151.25"
      ),
      // Others
      ("file;lat;lon\na;-33,5;151,25", "-33.5 151.25"),
      ("file\tN/S\tlat\tE/W\tlon\na\tS\t33.5\tE\t151.25", "-33.5 151.25"),
      ("FILE NAME,Latitude,Longitude\r\na,S33.5,151.25E\r\n", "-33.5 151.25"),
      ("\u{FEFF}file,lat,lon\na,-0 30' 0\",1e-05", "-0.5 1e-05"),
      ("file,lat,lon\na,33° 30′ 00″ S,0", "-33.5 0.0"), ("file,lat,lon\na,-90,+180", "-90.0 180.0"),
    ])
  func degrees(text: String, expected: String) throws {
    #expect(try PlaceTableTests.rows(text) == ["a: \(expected) - - -"])
  }

  @Test(
    "A table that lost its hemispheres is refused with a remedy.",
    arguments: [
      ("file,GPSLatitude,lon\na,33.5,151.25", "'GPSLatitude' doesn't distinguish north from south"),
      // exiftool -csv -n -EXIF:GPSLatitude
      (
        "SourceFile,GPSLatitude,GPSLongitude\na,33.5,151.25\nb,12,13",
        "'GPSLatitude' doesn't distinguish north from south"
      ),
      ("file,lat,lon\na,33 deg 30',151.25 E", "'lat' doesn't distinguish north from south"),
      ("file,lat,N/S,lon\na,33.5,S,151.25", "'lon' doesn't distinguish east from west"),
      ("file,lat,lat ref,lon,lon ref\na,33.5,,151.25,", "'lat' doesn't distinguish north from south"),
      ("file,position\na,33.5 151.25", "'position' doesn't distinguish north from south"),
    ])
  func lost(text: String, expected: String) throws {
    let error = #expect(throws: FileError.self) { try PlaceTableTests.rows(text) }
    #expect(error?.kind == .refused && error?.description.contains(expected) ?? false, "\(error?.description ?? "")")
    #expect(error?.remedy == .declareSigns)
    var rules = PlaceTable.Rules()
    rules.isSigned = true
    #expect(try PlaceTableTests.rows(text, rules).first?.hasSuffix("33.5 151.25 - - -") ?? false)
  }

  @Test("A table with any sign is signed throughout, and one with letters needs them in every row.")
  func customs() throws {
    #expect(
      try PlaceTableTests.rows("file,lat,lon\na,33.5,151.25\nb,-1,2\nc,0,3") == [
        "a: 33.5 151.25 - - -", "b: -1.0 2.0 - - -", "c: 0.0 3.0 - - -",
      ])
    #expect(try PlaceTableTests.rows("file,lat,lon\na,33.5,-151.25") == ["a: 33.5 -151.25 - - -"])
    #expect(
      try PlaceTableTests.rows("file,lat,lat ref,lon,lon ref\na,1,S,1,E\nb,1,,1,E\nc,1,N,-1,E\nd,1,E,1,E\ne,0,,1,W")
        == [
          "a: -1.0 1.0 - - -",
          "b: malformedRow(3, it has neither N nor S, unlike other rows)",
          "c: malformedRow(4, '-1' and 'E' are in different hemispheres)",
          "d: malformedRow(5, 'E' is neither north nor south)",
          "e: 0.0 -1.0 - - -",
        ])
  }

  @Test("metatag's tables are signed, wherever their locations are.")
  func own() throws {
    let head = "path,latitude,longitude,altitude,taken,camera\r\n"
    #expect(
      try PlaceTableTests.rows(head + "\"a,\"\"b\"\"\nc.jpg\",46.5,14.25,-3.5,2024-05-18T12:44:30.50+02:00,A\r\n") == [
        "a,\"b\"\nc.jpg: 46.5 14.25 -3.5 - 2024-05-18T12:44:30.50+02:00"
      ])
    let shown =
      "path,type,taken,latitude,longitude,altitude,sublocation,city,state,country,countryCode,make,model,orientation,notes"
    let derived = shown + ",derivedSublocation,derivedCity,derivedState,derivedCountry,derivedCountryCode"
    let withPictures = shown + ",kind,width,height,duration"
    for head in [shown, derived, withPictures] {
      #expect(
        try PlaceTableTests.rows(head + "\r\na.jpg,jpeg,,46.5,14.25,,,,,,,,,,\r\n") == ["a.jpg: 46.5 14.25 - - -"])
    }
    #expect(
      try PlaceTableTests.rows(withPictures + "\r\na.jpg,jpeg,,46.5,14.25,,,,,,,,,,,photo,4000,3000,\r\n") == [
        "a.jpg: 46.5 14.25 - - -"
      ])
    #expect(throws: FileError.self) { try PlaceTableTests.rows("path,GPSLatitude,GPSLongitude\na,46.5,14.25") }
  }

  @Test(
    "Decimal degrees under latitude and longitude are signed, even if all are in one hemisphere.",
    arguments: [
      "file,lat,lon\na,33.5,151.25", "name;Latitude;Longitude\na;33,5;151,25", "Name,LAT,LNG\na,33.5,151.25",
      // pandas' index has no heading.
      ",name,latitude,longitude\n0,a,33.5,151.25",
    ])
  func oneHemisphere(text: String) throws {
    #expect(try PlaceTableTests.rows(text) == ["a: 33.5 151.25 - - -"])
  }

  @Test(
    "A Date column has the day, possibly with a Time column, and is used if there is no better one.",
    arguments: [
      ("Date", "2024-05-01 10:00:00", "2024-05-01T10:00:00"),
      ("Date,Time", "2024-05-01,10:00:00", "2024-05-01T10:00:00"),
      ("Date,DateTimeOriginal", "2023-01-01,2024:05:01 10:00:00", "2024-05-01T10:00:00"),
    ])
  func dates(headings: String, cells: String, expected: String) throws {
    #expect(try PlaceTableTests.rows("file,\(headings)\na,\(cells)") == ["a: - - - - \(expected)"])
  }

  @Test(
    "Altitude, direction and date are read.",
    arguments: [
      ("GPSAltitude", "3 m Above Sea Level", "3.0 - -"), ("GPSAltitude", "3.5 m Below Sea Level", "-3.5 - -"),
      ("GPSAltitude", "-3", "-3.0 - -"), ("GPSAltitude,GPSAltitudeRef", "3,1", "-3.0 - -"),
      ("GPSAltitude,GPSAltitudeRef", "3 m,Below Sea Level", "-3.0 - -"), ("GPSAltitude", "0", "0.0 - -"),
      ("Altitude (ft)", "10", "3.048 - -"), ("alt m", "7", "7.0 - -"), ("elevation", "10 ft", "3.048 - -"),
      ("altitude", "10", "- - -"), ("GPSAltitude", "", "- - -"), ("GPSAltitude", "-", "- - -"),
      ("GPSImgDirection,GPSImgDirectionRef", "120.5,Magnetic North", "- 120.5M -"),
      ("GPSImgDirection", "0", "- 0.0T -"),
      ("DateTimeOriginal", "2024:05:01 10:00:00", "- - 2024-05-01T10:00:00"),
      (
        "DateTimeOriginal,OffsetTimeOriginal,SubSecTimeOriginal", "2024:05:01 10:00:00,+10:00,37",
        "- - 2024-05-01T10:00:00.37+10:00"
      ),
      (
        "DateTimeOriginal,SubSecDateTimeOriginal", "2024:05:01 10:00:00,2024:05:01 10:00:00.37+10:00",
        "- - 2024-05-01T10:00:00.37+10:00"
      ),
      ("DateTimeOriginal", "0000:00:00 00:00:00", "- - -"), ("DateTimeOriginal", "yesterday 1", "- - -"),
    ])
  func companions(headings: String, cells: String, expected: String) throws {
    #expect(try PlaceTableTests.rows("file,lat,lon,\(headings)\na,-1,2,\(cells)") == ["a: -1.0 2.0 \(expected)"])
  }

  @Test("Values that are left out are reported.")
  func notes() throws {
    let table = try PlaceTable(bytes: Array("file,lat,lon,alt,taken\na,-1,2,3,noon 1\n,-3,4\n".utf8))
    #expect(
      table.notes == [
        "line 3 has no photo name", "line 2: 'noon 1' is not a date and is ignored",
        "the column 'alt' has no unit and is ignored",
      ])
  }

  @Test(
    "A row that can't be used has a reason with its line.",
    arguments: [
      ("0,0", "noFixInTable(3)"),
      ("91,0", "malformedRow(3, latitude 91.0 is out of range (-90 to 90)"),
      ("-1,", "malformedRow(3, it has a latitude, but no longitude"),
      ("x,1", "unexpected 'X' in a coordinate"), ("1 70,1", "minutes and seconds are 0 to 59"),
      ("1,2,x", "its altitude, 'x', is not a number"), (",", "emptyRow(3)"),
      ("1,2,3 m Below Sea Level,0", "is both above and below sea level"),
    ])
  func unusable(cells: String, expected: String) throws {
    let rows = try PlaceTableTests.rows("file,lat,lon,GPSAltitude,GPSAltitudeRef\nz,-1,2\na,\(cells)")
    #expect(rows[0] == "z: -1.0 2.0 - - -")
    #expect(rows[1].contains(expected), "\(rows[1])")
  }

  @Test("0, 0 is a location on request.")
  func zero() throws {
    var rules = PlaceTable.Rules()
    rules.allowsZero = true
    #expect(try PlaceTableTests.rows("file,lat,lon\na,0,0", rules) == ["a: 0.0 0.0 - - -"])
  }

  @Test(
    "A file that isn't a table of photos is refused.",
    arguments: [
      ("", "is empty"), ("lat,lon\n1,2", "no column is named SourceFile"),
      ("file,iso\na,100", "no column is named GPSLatitude"),
      ("file,lat,latitude,lon\na,1,2,3", "'lat' and 'latitude' could mean the same"),
      ("file,lat,lon\n\"a,1,2", "line 2: unterminated quoted field"),
    ])
  func refused(text: String, expected: String) throws {
    let error = #expect(throws: FileError.self) { try PlaceTableTests.rows(text) }
    #expect(error?.description.contains(expected) ?? false, "\(error?.description ?? "")")
  }

  @Test("A stray quotation mark in a name doesn't reach the next column.")
  func strayQuotes() throws {
    #expect(try PlaceTableTests.rows("file,lat,lon\n\"a \"b\".jpg\",-1,2") == ["a b\".jpg\": -1.0 2.0 - - -"])
  }

  @Test("Excel's first line states the separator.")
  func statedSeparator() throws {
    #expect(try PlaceTableTests.rows("sep=;\r\nfile;lat;lon\r\na, b;-1,5;2,5") == ["a, b: -1.5 2.5 - - -"])
  }

  @Test("UTF-16 is read, and names that aren't UTF-8 keep their bytes.")
  func bytes() throws {
    let scratch = try Scratch()
    let units = Array("file,lat,lon\ntäg.jpg,-1,2\n".utf16)
    let file = try scratch.write([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, as: "a.csv")
    #expect(try PlaceTable(file.filePath).rows.map(\.name) == ["täg.jpg"])
    let latin = try PlaceTable(bytes: Array("file,lat,lon\nt".utf8) + [0xE4] + Array("g.jpg,-1,2".utf8))
    #expect(latin.rows[0].name.bytes == Array("t".utf8) + [0xE4] + Array("g.jpg".utf8))
  }

  @Test("Any table is read or refused, and no hemisphere is invented.")
  func hostile() throws {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "file", "GPSLatitude", "GPSLongitude", "N/S", ",", ";", "\"", "\n", "\r\n", "-", "+", "1", "99", " S", "E", "°",
      "'", "deg", ".",
      "a",
    ]
    var count = 0
    for _ in 0..<3_000 {
      var text = Bool.random(using: &generator) ? "file,GPSLatitude,GPSLongitude\n" : ""
      for _ in 0..<Int.random(in: 0...25, using: &generator) { text += pieces.randomElement(using: &generator) ?? "" }
      guard let table = try? PlaceTable(bytes: Array(text.utf8)) else { continue }
      count += 1
      let places = table.rows.compactMap { try? $0.content.get().coordinate }.filter { $0.latitude != 0 }
      let body = text.drop { $0 != "\n" }
      #expect(places.isEmpty || body.contains { "+-NSEW".contains($0) }, "\(text)")
    }
    #expect(count > 1_000)
  }
}
