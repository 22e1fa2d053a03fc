import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Conflicts between dates")
struct DateCheckTests {
  static func copy(_ text: String, _ namespace: Namespace, _ tag: String) throws -> Sourced<CaptureTime> {
    Sourced(try CaptureTime(parsing: text), namespace, tag: tag)
  }

  /// Each copy is `exif`, `xmp`, `iptc`, `digitized`, `xmpDigitized` or `modified`, and a date; `day`, and a day;
  /// `gps`, and a time in UTC.
  static func photo(_ copies: [(String, String)]) throws -> Metadata {
    var metadata = Metadata()
    for (name, text) in copies {
      switch name {
      case "exif": metadata.captureTimes.append(try copy(text, .exif, "DateTimeOriginal"))
      case "xmp": metadata.captureTimes.append(try copy(text, .xmp, "photoshop:DateCreated"))
      case "iptc": metadata.captureTimes.append(try copy(text, .iptc, "DateCreated"))
      case "text": metadata.captureTimes.append(try copy(text, .quickTime, "com.apple.quicktime.creationdate"))
      case "mvhd": metadata.captureTimes.append(try copy(text, .quickTime, "mvhd"))
      case "digitized": metadata.digitizedTimes.append(try copy(text, .exif, "DateTimeDigitized"))
      case "xmpDigitized": metadata.digitizedTimes.append(try copy(text, .xmp, "xmp:CreateDate"))
      case "modified": metadata.modifyTime = try CaptureTime(parsing: text)
      case "malformed": metadata.malformedDates.append(Sourced(text, .exif, tag: "DateTimeOriginal"))
      case "offset": metadata.malformedOffsets.append(Sourced(text, .exif, tag: "OffsetTimeOriginal"))
      case "irregular": metadata.irregularDates.append(Sourced(text, .exif, tag: "DateTimeOriginal"))
      case "day":
        metadata.partialDates.append(Sourced(try PartialDate(parsing: text), .iptc, tag: "DateCreated"))
      case "year":
        metadata.partialDates.append(Sourced(try PartialDate(parsing: text), .xmp, tag: "photoshop:DateCreated"))
      case "digitizedDay":
        let day = try CaptureTime(parsing: text + " 00:00").civil
        metadata.digitizedDays.append(Sourced(day, .iptc, tag: "DigitalCreationDate"))
      case "program": metadata.additionalDates.append(Sourced(XMPDate(text), .xmp, tag: "acdsee:datetime"))
      case "panorama": metadata.additionalDates.append(Sourced(XMPDate(text), .xmp, tag: "GPano:LastPhotoDate"))
      case "satellites":
        let instant = try #require(try CaptureTime(parsing: text + "Z").instant)
        metadata.satelliteTimes.append(Sourced(instant, .exif, tag: "GPSTimeStamp"))
      default:
        var location = Location(try .at(35, 135))
        location.timestamp = try CaptureTime(parsing: text + "Z").instant
        metadata.locations.append(Sourced(location, .exif, tag: "GPSLatitude"))
      }
    }
    return metadata
  }

  private func kinds(_ copies: [(String, String)], _ facts: DateFacts = DateFacts()) throws -> [String] {
    DateCheck(try Self.photo(copies), facts).findings.map(\.kind.rawValue)
  }

  private static let taken = "2024-05-23 18:38:41.601+09:00"

  @Test("Every date of a sidecar is compared with the photo's.")
  func beside() throws {
    func kinds(_ change: (inout Metadata) throws -> Void) throws -> [String] {
      var sidecar = Metadata()
      try change(&sidecar)
      var facts = DateFacts()
      facts.sidecar = DateFacts.Sidecar(name: "a.xmp", metadata: sidecar)
      let photo = try Self.photo([("exif", Self.taken), ("digitized", Self.taken)])
      return DateCheck(photo, facts).findings.map { "\($0.kind.rawValue) \($0.statement.tag)" }
    }
    let created = "photoshop:DateCreated"
    let other = try Self.copy("2024-05-23 10:00:00", .xmp, "xmp:CreateDate")
    let text = Sourced("1885/1890", .xmp, tag: created)
    #expect(try kinds { $0.malformedDates = [text] } == ["malformed a.xmp \(created)"])
    for date in ["1885", "1885-06-15"] {
      let copy = Sourced(try PartialDate(parsing: date), .xmp, tag: created)
      #expect(try kinds { $0.partialDates = [copy] } == ["sidecar a.xmp \(created)"])
    }
    #expect(try kinds { $0.digitizedTimes = [other] } == ["sidecar a.xmp xmp:CreateDate"])
    for date in ["2024", "2024-05-23"] {
      let copy = Sourced(try PartialDate(parsing: date), .xmp, tag: created)
      #expect(try kinds { $0.partialDates = [copy] } == [])
    }
  }

  private static let silentCases: [[(String, String)]] = [
    [("exif", taken), ("xmp", "2024-05-23 18:38:41"), ("iptc", "2024-05-23 18:38:41")],
    [("exif", taken), ("xmp", "2024-05-23 18:38:42+09:00")],
    [("exif", taken), ("xmp", "2024-05-23 18:38")], [("exif", taken), ("xmp", "2024-05-23 09:38:41Z")],
    [("exif", "2024-05-23 18:38:41"), ("xmp", "2024-05-23 09:38:41Z")],
    [("exif", taken), ("iptc", "2024-05-23 18:38:41+00:00")],
    [("exif", taken), ("iptc", "2024-05-23 00:00:00+00:00")],
    [("exif", taken), ("day", "2024-05-23")], [("exif", "2024-05-23 03:38:41+09:00"), ("day", "2024-05-22")],
    [("exif", taken), ("digitized", "2024-05-23 18:38:39")], [("exif", taken), ("digitized", "2024-05-23 18:38:55")],
    [("exif", "1976-08-01 12:00:00"), ("digitized", "2024-05-23 18:38:41"), ("xmpDigitized", "2024-05-23 18:38:41")],
    [("exif", taken), ("modified", "2025-01-01 00:00:00")], [("exif", taken), ("modified", "2024-05-23 09:38:41")],
    [("exif", taken), ("gps", "2024-05-23 09:38:41")], [("exif", taken), ("gps", "2024-05-23 09:00:00")],
    [("exif", taken), ("gps", "2024-05-23 09:38:55")],
    [("exif", "2024-05-23 18:38:41"), ("gps", "2024-05-23 09:38:41")],
    [("exif", "2024-05-23 00:30:00"), ("gps", "2024-05-22 23:20:00")],
    [("exif", taken), ("satellites", "2024-05-23 09:38:41")],
    [("exif", taken), ("digitizedDay", "2024-05-23")],
    [("exif", "1976-08-01 12:00:00"), ("digitizedDay", "2020-01-01")],
    [("exif", taken), ("program", "2024-05-23T18:38:41")], [("exif", taken), ("program", "2024-05-23")],
    [("exif", taken), ("panorama", "2024-05-23T09:40:12Z")],
    [("exif", taken), ("digitized", "2024-05-23 18:38:41+09:00")],
    [("exif", bare), ("xmp", bare + "+01:00"), ("iptc", bare + "+00:00"), ("digitized", bare + "+01:00")],
  ]

  @Test(
    "A copy that is equal or less precise is not a conflict.",
    arguments: silentCases)
  func silent(copies: [(String, String)]) throws { #expect(try kinds(copies) == []) }

  private static let (bare, later) = ("2024-05-23 18:38:41", "2024-07-23 18:38:41")

  private static let foundCases: [([(String, String)], String)] = [
    ([("exif", taken), ("xmp", "2024-05-23 18:38:43")], "capture-time"),
    ([("exif", taken), ("xmp", "2024-05-23 19:38:41")], "capture-time"),
    ([("exif", taken), ("iptc", "2024-05-24 18:38:41+00:00")], "capture-time"),
    ([("exif", "2024-05-23 18:38:41"), ("xmp", "2024-05-23 17:38:41+01:00")], "capture-time"),
    ([("exif", taken), ("xmp", "2024-05-23 18:38:41Z")], "offset"),
    ([("exif", taken), ("day", "2024-05-25")], "capture-day"),
    ([("exif", taken), ("digitized", "2024-05-23 17:38:41")], "digitized-time"),
    ([("exif", taken), ("digitized", "2024-05-23 19:38:41")], "digitized-time"),
    (
      [("exif", taken), ("digitized", "2024-05-23 18:38:41"), ("xmpDigitized", "2024-05-23 19:38:41")],
      "digitized-time"
    ),
    ([("exif", taken), ("modified", "2023-01-01 00:00:00")], "modify-time"),
    ([("exif", taken), ("iptc", "2024-05-23 18:38:41+02:00")], "offset"),
    ([("exif", taken), ("digitized", "2024-05-23 18:38:41+01:00")], "offset"),
    ([("exif", taken), ("digitizedDay", "2020-01-01")], "digitized-time"),
    ([("exif", taken), ("satellites", "2024-05-20 09:38:41")], "gps-time"),
    ([("exif", taken), ("program", "2024-05-23T17:38:41")], "capture-time"),
    ([("exif", taken), ("program", "2024-05-22")], "capture-day"),
    ([("exif", taken), ("panorama", "2024-05-23T10:40:12Z")], "capture-time"),
    ([("exif", taken), ("gps", "2024-05-23 08:38:41")], "gps-time"),
    ([("exif", taken), ("gps", "2024-05-23 10:38:41")], "gps-time"),
    ([("exif", "2024-05-23 18:38:41"), ("gps", "2024-05-20 09:38:41")], "gps-time"),
    ([("malformed", "2024:02:30 10:00:00")], "malformed"),
    ([("exif", taken), ("irregular", "2024:5:23 18:38:41")], "irregular"),
    ([("exif", bare), ("xmp", bare + "+01:00"), ("digitized", bare + "-08:00")], "offset"),
    ([("exif", bare), ("xmp", bare + "+01:00"), ("iptc", bare + "-04:00")], "offset"),
    ([("exif", bare), ("xmp", bare + "+01:00"), ("xmp", bare + "-07:00")], "offset"),
    ([("exif", taken), ("digitized", later + "+01:00"), ("xmpDigitized", later + "-04:00")], "offset"),
  ]

  @Test(
    "A copy with another time is a finding of its kind.",
    arguments: foundCases)
  func found(copies: [(String, String)], kind: String) throws { #expect(try kinds(copies) == [kind]) }

  private static let namesCases: [(String, [String])] = [
    ("IMG_20240523_183841.jpg", []), ("IMG_20240523_183930.jpg", []), ("IMG_20240523_193841.jpg", ["file-name"]),
    ("PXL_20240523_093841601.jpg", []), ("PXL_20240523_183841601.jpg", ["file-name"]), ("DSC01234.JPG", []),
    ("20240523_a.jpg", []), ("2024-05-30 trip.jpg", ["file-name"]), ("IMG-20240530-WA0007.jpg", []),
    ("IMG-20240501-WA0007.jpg", ["file-name"]), ("FB_IMG_1747993121601.jpg", []),
    ("signal-2024-05-25-10-00-00-601.jpg", []),
    ("Screenshot_20240101-000000.png", ["file-name"]),
  ]

  @Test(
    "A file name conflicts only with a time that it contains.",
    arguments: namesCases)
  func names(name: String, kinds: [String]) throws {
    var facts = DateFacts()
    facts.fileName = name
    #expect(try self.kinds([("exif", Self.taken)], facts) == kinds)
    // Without an offset, a name in UTC fits in some zone.
    if kinds == [] { #expect(try self.kinds([("exif", "2024-05-23 18:38:41")], facts) == []) }
  }

  @Test("A future date in a file name is ignored.")
  func futureName() throws {
    var facts = DateFacts()
    facts.fileName = "4006381333931.jpg"
    #expect(try kinds([("exif", Self.taken)], facts) == ["file-name"])
    facts.now = try CaptureTime(parsing: "2026-07-16T12:00:00Z").instant
    #expect(try kinds([("exif", Self.taken)], facts) == [])
    facts.fileName = "IMG_20240523_193841.jpg"
    #expect(try kinds([("exif", Self.taken)], facts) == ["file-name"])
  }

  @Test("An invalid offset is malformed.")
  func malformedOffset() throws {
    let photo = [("exif", "2024-05-23 18:38:41"), ("offset", "+25:00")]
    #expect(try kinds(photo) == ["malformed"])
  }

  private static let fileTimesCases: [(String, [String])] = [
    ("2024-05-23 09:38:41", []), ("2024-05-23 09:38:00", []), ("2026-01-01 00:00:00", []),
    ("2024-05-23 09:00:00", ["file-time"]),
    ("2024-05-23 18:38:41", ["file-time"]), ("2024-05-23 18:41:00", []), ("2001-01-01 00:00:00", ["file-time"]),
  ]

  @Test(
    "A file modified later is normal; earlier, or by the hours of a zone, is a finding.",
    arguments: fileTimesCases)
  func fileTimes(modified: String, kinds: [String]) throws {
    var facts = DateFacts()
    facts.modified = try CaptureTime(parsing: modified + "Z").instant
    #expect(try self.kinds([("exif", Self.taken)], facts) == kinds)
  }

  @Test("Without an offset, a file's time is a finding only if it is earlier in every zone.")
  func unknownZone() throws {
    var facts = DateFacts()
    facts.modified = try CaptureTime(parsing: "2024-05-23 05:00:00Z").instant
    #expect(try kinds([("exif", "2024-05-23 18:38:41")], facts) == [])
    facts.modified = try CaptureTime(parsing: "2024-05-23 04:00:00Z").instant
    #expect(try kinds([("exif", "2024-05-23 18:38:41")], facts) == ["file-time"])
  }

  @Test("A movie header in local time is a finding, and one of an export is not.")
  func movies() throws {
    var facts = DateFacts()
    facts.headerTime = try CaptureTime(parsing: "2024-05-23 18:38:41Z")
    #expect(try kinds([("text", Self.taken)], facts) == ["movie-header"])
    facts.headerTime = try CaptureTime(parsing: "2024-05-23 09:38:44Z")
    #expect(try kinds([("text", Self.taken)], facts) == [])
    facts.headerTime = try CaptureTime(parsing: "2024-06-01 12:11:17Z")
    #expect(try kinds([("text", Self.taken)], facts) == [])
    facts.headerTime = nil
    facts.fileName = "VID_20240523_180000.mp4"
    #expect(try kinds([("text", Self.taken)], facts) == [])
    #expect(try kinds([("mvhd", "2024-05-23 09:38:41Z")], facts) == [])
    #expect(try kinds([("mvhd", "2024-05-25 09:38:41Z")], facts) == ["file-name"])
  }

  @Test("A picture header may be in UTC, local time, or later than any zone.")
  func pictureHeader() throws {
    for (date, header, isFound) in [
      (Self.taken, "2024-05-23 18:38:41", false), (Self.taken, "2024-05-23 09:38:41", false),
      (Self.taken, "2024-05-23 10:38:41", true), (Self.taken, "2023-05-23 18:38:41", true),
      (Self.taken, "2024-06-01 12:11:17", false), ("2024-05-23 18:38:41", "2024-05-23 10:38:41", false),
      ("2024-05-23 18:38:41", "2024-05-23 10:35:41", true),
    ] {
      var facts = DateFacts()
      facts.pictureTimes = [try Self.copy(header, .quickTime, "mvhd")]
      #expect(try kinds([("exif", date)], facts) == (isFound ? ["picture-header"] : []), "\(date) \(header)")
    }
  }

  @Test("A sidecar's finding has both values and their sources.")
  func sidecar() throws {
    var facts = DateFacts()
    let other = try Self.photo([("xmp", "2024-05-23 17:38:41+09:00")])
    facts.sidecar = DateFacts.Sidecar(name: "a.xmp", metadata: other)
    let findings = DateCheck(try Self.photo([("exif", Self.taken)]), facts).findings
    #expect(
      findings.map(\.description) == [
        "sidecar: a.xmp photoshop:DateCreated (sidecar) is 2024-05-23T17:38:41+09:00, "
          + "60 min earlier than DateTimeOriginal (exif), 2024-05-23T18:38:41.601+09:00"
      ])
  }
}
