import Foundation
import SystemPackage
import Testing

@testable import MetaTag

struct PlanFileTests {
  static let header =
    #"{"metatagPlan":1,"version":"0.1.0","command":["metatag"],"fallback":"jpeg","jpegQuality":95,"strict":false,"keepMtime":false,"fixExtension":false}"#
  static let hash = String(repeating: "0f", count: 32)
  static let was = #""was":{"size":3,"modified":"2024-05-01T10:00:00.25Z","metadata":"\#(hash)"}"#

  static func plan(_ rows: String..., header: String = header, allowsZero: Bool = false) throws(FileError) -> PlanFile {
    try PlanFile(holding: Array(([header] + rows).joined(separator: "\n").utf8), allowsZero: allowsZero)
  }

  static func row(_ change: String) -> String { #"{"path":"a.jpg",\#(was),"change":\#(change)}"# }

  @Test("A change is read as it was written.", arguments: Self.edits)
  func roundTrip(_ edit: MetadataEdit) throws {
    #expect(try MetadataEdit(plan: edit.planValue, allowsZero: true) == edit)
  }

  static var edits: [MetadataEdit] {
    var edits: [MetadataEdit] = []
    func add(_ change: (inout MetadataEdit) -> Void) {
      var edit = MetadataEdit()
      change(&edit)
      edits.append(edit)
    }
    let places = [(46.0207, 7.7491), (-33.85678901234567, 151.2153), (0, 0), (90, -180), (1e-7, 0.1 + 0.2)]
    for (latitude, longitude) in places {
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { continue }
      var location = Location(coordinate, altitude: latitude * 10)
      location.imageDirection = Direction(degrees: 359.99, reference: .magneticNorth)
      location.track = Direction(degrees: 0.25)
      location.speed = 1.0 / 3
      location.horizontalError = 4.5
      location.dilutionOfPrecision = 1.5
      location.timestamp = Instant(seconds: 1_714_557_600, nanoseconds: 123_456_789)
      location.processingMethod = "GPS"
      add { $0.location = .set(location) }
      add { ($0.location, $0.keepsCompanions) = (.set(Location(coordinate)), true) }
      add { ($0.location, $0.fillsGapsOnly) = (.set(Location(coordinate)), true) }
    }
    add { $0.location = .remove }
    for text in ["2024-05-01T10:00:00", "2024-05-01T10:00:00.050+09:00", "0001-01-01T00:00:00Z"] {
      if let time = try? CaptureTime(parsing: text) {
        for replacing in [false, true] { add { $0.dates = .set(time, replacingOffsets: replacing) } }
      }
    }
    for text in ["+1h23m", "-90s", "+1d2h3m4.5s", "0s", "-0.25s", "+1y2mo3d", "-1mo"] {
      guard
        let shift = (try? CalendarShift(parsing: text))?.anchored(at: try? CaptureTime(parsing: "2024-05-01T10:00:00"))
      else { continue }
      add { $0.dates = .adjust(shift, offset: .keep) }
      add { $0.dates = .adjust(shift, offset: .remove) }
      add { $0.dates = .adjust(shift, offset: UTCOffset("-03:30").map { .set($0) } ?? .keep) }
    }
    for text in ["2.8", ".333333333", "12345678.5", "30"] {
      if let change = try? PhotoField.aperture.change(parsing: text) { add { $0.fields = [.aperture: change] } }
    }
    let tags = [
      "Exif.Photo.SubjectDistance": "10/3", "Exif.Photo.BrightnessValue": "-1/7", "Exif.Image.RatingPercent": "99",
    ]
    for (key, text) in tags {
      guard let tag = try? EXIFTag.named(key), let change = try? tag.change(parsing: text) else { continue }
      add { ($0.tags, $0.fields) = ([tag: change], [.artist: .set(.text("Ada; Grace")), .copyright: .remove]) }
    }
    for text in ["1/125", "0.5", "30", "1/3"] {
      if let change = try? PhotoField.shutter.change(parsing: text) { add { $0.fields = [.shutter: change] } }
    }
    if let bias = try? PhotoField.exposureBias.change(parsing: "-0.7") {
      add { ($0.fields, $0.endsReconstruction) = ([.exposureBias: bias, .iso: .set(.whole([102_400]))], true) }
    }
    add { $0.erasesDates = true }
    add { ($0.location, $0.dropsTimedPlaces) = (.remove, true) }
    for keepsDate in [false, true] {
      add {
        $0.erasure = Erasure()
        $0.erasure?.keepsDate = keepsDate
      }
    }
    var names = PlaceNames()
    names.city = "Zürich \"West\""
    names.countryCode = "CH"
    add { ($0.names, $0.namesPlaceShown, $0.addsIPTC) = (.set(names), true, true) }
    add { $0.names = .remove }
    return edits
  }

  @Test(
    "An unknown, out-of-range or repeated value refuses the whole plan, with its place.",
    arguments: [
      (#"{"location":{"latitude":91,"longitude":7}}"#, "row 1: latitude 91.0 is out of range"),
      (#"{"location":{"latitude":0,"longitude":0.0}}"#, "row 1: 0,0"),
      (#"{"location":{"latitude":"46","longitude":7}}"#, "'latitude' in 'location' is not a number"),
      (#"{"location":{"latitude":46}}"#, "'longitude' is missing"),
      (#"{"location":{"latitude":46,"longitude":7,"altitude":1e9}}"#, "altitude"),
      (#"{"location":{"latitude":46,"longitude":7,"speed":-1}}"#, "'speed'"),
      (#"{"location":{"latitude":46,"longitude":7,"track":360}}"#, "'track'"),
      (#"{"location":{"latitude":46,"longitude":7,"trackReference":"T"}}"#, "'trackReference'"),
      (#"{"location":{"latitude":46,"longitude":7,"timestamp":"2024-05-01T10:00:00"}}"#, "'timestamp'"),
      (#"{"location":{"latitude":46,"longitude":7,"name":"x"}}"#, "'name' in 'location' is not supported"),
      (#"{"location":{"latitude":46,"latitude":47,"longitude":7}}"#, "'latitude' occurs twice"),
      (#"{"dates":{"set":"2024-02-30T10:00:00"}}"#, "2024-02-30"), (#"{"dates":{"set":"now"}}"#, "'now'"),
      (#"{"dates":{"shift":"90"}}"#, "unit"), (#"{"dates":{}}"#, "either 'set' or 'shift'"),
      (#"{"dates":{"shift":"+1h","set":"2024-05-01T10:00:00"}}"#, "either 'set' or 'shift'"),
      (#"{"dates":{"shift":"+1h","offset":"Tokyo"}}"#, "offset"),
      (#"{"dates":{"set":"2024-05-01T10:00:00","offset":"+02:00"}}"#, "with 'set', 'offset' must be absent"),
      (#"{"dates":{"set":"1975","offset":null}}"#, "with 'set', 'offset' must be absent"),
      (#"{"names":{"city":""}}"#, "'city'"),
      (#"{"names":{"countryCode":"Slovenia"}}"#, "'countryCode'"),
      (#"{"names":{"countryCode":"QX"}}"#, "'countryCode'"),
      (#"{"names":{"city":"a\u0007"}}"#, "'city'"), ("{}", "'change' is empty"), ("[]", "not an object"),
      (#"{"iptc":1,"location":null}"#, "neither true nor false"), (#"{"colour":"red"}"#, "'colour'"),
      (#"{"location":null,"names":{"city":"Wien"}}"#, "'location' null also erases the place names"),
      (
        #"{"location":{"latitude":46,"longitude":7},"eraseOldPlace":true,"names":{"city":"Wien"}}"#,
        "'eraseOldPlace' also erases the place names"
      ),
      (#"{"location":nan}"#, "JSON"), (#"{"location":{"latitude":46,"longitude":7}"#, "JSON"),
    ])
  func refusals(_ change: String, _ part: String) throws {
    let error = #expect(throws: FileError.self) { try Self.plan(Self.row(change)) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A refused plan has a remedy.",
    arguments: [
      (#"{"location":{"latitude":0,"longitude":0.0}}"#, .allowZero), ("{}", .omitRow),
      (#"{"location":{"latitude":46,"longitude":7,"timestamp":"2024-05-01T10:00:00"}}"#, .addOffset),
      (#"{"dates":{"set":"2024-02-30T10:00:00"}}"#, .writeLike("2024-05-23T18:38:41+09:00")),
      (#"{"dates":{"set":"now"}}"#, .writeLike("1975", or: ["1975-06", "1975-06-12"])),
      (#"{"dates":{"shift":"90"}}"#, .writeLike("90s", or: ["+1h30m"])),
      (#"{"dates":{"shift":"+1h","offset":"Tokyo"}}"#, .writeLike("\"+09:00\"")),
      (#"{"location":null,"names":{"city":"Wien"}}"#, .omitMember("names")),
      (#"{"title":""}"#, .giveNull), (#"{"tags":{"Exif.Image.Make":""}}"#, .giveNull),
      (#"{"tags":{"Exif.Image.Mark":"x"}}"#, .didYouMean(["Exif.Image.Make"])),
      (#"{"tags":{"Exif.Photo.FNumber":"f"}}"#, .writeLike("2.8")),
    ] as [(String, Remedy)])
  func remedies(_ change: String, _ remedy: Remedy) throws {
    let error = #expect(throws: FileError.self) { try Self.plan(Self.row(change)) }
    #expect(error?.remedy == remedy, "\(error?.description ?? "")")
  }

  @Test(
    "A plan without a valid first line is refused.",
    arguments: [
      ("", "not begin"), ("{}", "not begin"), (header.replacing(":1,", with: ":2,"), "format 2"),
      (header.replacing("95", with: "0"), "1 to 100"), (header.replacing("\"strict\"", with: "\"strikt\""), "'strikt'"),
      (header.replacing("\"jpeg\"", with: "\"gif\""), "'fallback'"),
      (header.replacing(":false}", with: ":0}"), "neither true"),
    ])
  func headers(_ header: String, _ part: String) throws {
    let error = #expect(throws: FileError.self) { try Self.plan(Self.row(#"{"location":null}"#), header: header) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test("An empty file is not a plan, one without rows is, and a repeated path refuses it.")
  func forms() throws {
    #expect(throws: FileError.self) { try PlanFile(holding: []) }
    #expect(try Self.plan().rows.isEmpty)
    let row = Self.row(#"{"location":null}"#)
    #expect(try Self.plan(row.replacing(",", with: ",\n  ")).rows.count == 1)
    let error = #expect(throws: FileError.self) { try Self.plan(row, row) }
    #expect(error?.description.contains("row 2: a.jpg is in the plan twice") == true)
    #expect(throws: FileError.self) { try Self.plan(row.replacing("\"path\":\"a.jpg\",", with: "")) }
    let broken = #expect(throws: FileError.self) { try Self.plan(row, #"{"path":"b.jpg","#) }
    #expect(broken?.description.contains("row 2: ") == true, "\(broken?.description ?? "")")
    #expect(try Self.plan(Self.row(#"{"keywords":[]}"#)).rows[0].edit?.fields[.keywords] == .remove)
    #expect(try Self.plan(Self.row(#"{"location":{"latitude":0,"longitude":0}}"#), allowsZero: true).rows.count == 1)
  }

  @Test("An edited country code becomes upper case, and one that fills other files stays as it is.")
  func countryCode() throws {
    let edited = try Self.plan(Self.row(#"{"names":{"countryCode":"svn"}}"#))
    #expect(edited.rows.first?.edit?.wantedNames?.countryCode == "SVN")
    let filled = try Self.plan(Self.row(#"{"onlyMissing":true,"names":{"countryCode":"Slovenia"}}"#))
    #expect(filled.rows.first?.edit?.wantedNames?.countryCode == "Slovenia")
  }

  @Test(
    "A state that no file can have refuses the plan.",
    arguments: [(#""size":3"#, #""size":-1"#, "'size'"), (hash, "00", "SHA-256"), (hash, hash.uppercased(), "SHA-256")])
  func states(_ right: String, _ wrong: String, _ part: String) throws {
    let row = Self.row(#"{"location":null}"#).replacing(right, with: wrong)
    let error = #expect(throws: FileError.self) { try Self.plan(row) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test("A name that isn't UTF-8 is read byte for byte.")
  func bytes() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0x2E, 0x6A]
    let row = #"{"path":"a\#u{FFFD}.j","pathBytes":"\#(Data(bytes).base64EncodedString())",\#(Self.was),"newName":"b"}"#
    #expect(try Self.plan(row).rows.first?.path.bytes == bytes)
  }
}
