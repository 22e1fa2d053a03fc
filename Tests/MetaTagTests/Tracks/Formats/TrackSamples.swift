import Testing

@testable import MetaTag

/// A short walk in every track format.
struct TrackSample: CustomTestStringConvertible {
  /// The format's name.
  let format: String
  let bytes: [UInt8]
  /// Whether the format is text, which may be UTF-16.
  var isText = true
  /// The uncertainty of the format's digits, in degrees.
  var tolerance = 1e-9
  /// A bad point in the middle of the walk, and the reason under which it is counted.
  var bad: (bytes: [UInt8], reason: TrackSource.Rejection)

  var testDescription: String { format }

  init(
    _ format: String, _ text: ([String]) -> String, points: [String], bad: String, as reason: TrackSource.Rejection,
    tolerance: Double = 1e-9
  ) {
    self.format = format
    self.tolerance = tolerance
    bytes = Array(text(points).utf8)
    self.bad = (Array(text([points[0], bad, points[1], points[2]]).utf8), reason)
  }

  init(binary format: String, _ bytes: [UInt8], tolerance: Double, bad: [UInt8], as reason: TrackSource.Rejection) {
    (self.format, self.bytes, self.tolerance, self.bad) = (format, bytes, tolerance, (bad, reason))
    isText = false
  }

  /// The points of the walk in three hemispheres, so that signs matter.
  static let walk = [(0, 47.5, 8.25), (30, -33.5005, 8.2505), (60, -33.25, -70.125)]
  static let start: Int64 = 1_714_557_600
  private static let times = ["10:00:00", "10:00:30", "10:01:00"]

  private static func points(_ text: (_ time: String, _ latitude: Double, _ longitude: Double) -> String) -> [String] {
    zip(walk, times).map { text("2024-05-01T\($1)Z", $0.1, $0.2) }
  }

  static let all: [TrackSample] = [
    TrackSample(
      "GPX", { "<gpx><trk><trkseg>\($0.joined())</trkseg></trk></gpx>" },
      points: points { GPXText.point("\($1),\($2) \($0)") }, bad: GPXText.point("91,0 2024-05-01T10:00:01Z"),
      as: .noPosition),
    TrackSample(
      "KML", { "<kml><Document><Placemark><gx:Track>\($0.joined())</gx:Track></Placemark></Document></kml>" },
      points: points { "<when>\($0)</when><gx:coord>\($2) \($1) 0</gx:coord>" },
      bad: "<when>2024-05-01T10:00:01</when><gx:coord>1 2 0</gx:coord>", as: .noZone),
    TrackSample(
      "TCX",
      {
        "<TrainingCenterDatabase><Activities><Activity><Lap><Track>\($0.joined())"
          + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
      },
      points: points {
        "<Trackpoint><Time>\($0)</Time><Position><LatitudeDegrees>\($1)</LatitudeDegrees><LongitudeDegrees>\($2)"
          + "</LongitudeDegrees></Position></Trackpoint>"
      }, bad: "<Trackpoint><Time>2024-05-01T10:00:01Z</Time></Trackpoint>", as: .noPosition),
    TrackSample(
      binary: "FIT", FITText.file(FITText.walk), tolerance: 1e-7,
      bad: FITText.file(
        FITText.definition + FITText.record(1, nil, 8.25) + FITText.walk.dropFirst(FITText.definition.count)),
      as: .noPosition),
    TrackSample(
      "IGC", { "AXXX\r\nHFDTE010524\r\n\($0.joined(separator: "\r\n"))\r\n" },
      points: [
        "B1000004730000N00815000EA0000000400", "B1000303330030S00815030EA0000000400",
        "B1001003315000S07007500WA0000000400",
      ], bad: "B1000019999999N00815000EA0000000400", as: .noPosition),
    TrackSample(
      "NMEA", { $0.map(NMEATests.checked).joined() },
      points: [
        "GPRMC,100000,A,4730.000,N,00815.000,E,1.0,90,010524,,,A",
        "GPRMC,100030,A,3330.030,S,00815.030,E,1.0,90,010524,,,A",
        "GPRMC,100100,A,3315.000,S,07007.500,W,1.0,90,010524,,,A",
      ], bad: "GPRMC,100001,V,4730.000,N,00815.000,E,1.0,90,010524,,,N", as: .noFix),
    TrackSample(
      "Google Records.json", { "{\"locations\": [\($0.joined(separator: ","))]}" },
      points: points { "{\"latitudeE7\":\(e7($1)),\"longitudeE7\":\(e7($2)),\"accuracy\":12,\"timestamp\":\"\($0)\"}" },
      bad: "{\"timestamp\":\"2024-05-01T10:00:01Z\"}", as: .noPosition),
    TrackSample(
      "Google Semantic Location History",
      {
        "{\"timelineObjects\": [{\"activitySegment\":{\"startLocation\":{\"latitudeE7\":475000000,\"longitudeE7\":82500000},"
          + "\"endLocation\":{\"latitudeE7\":-332500000,\"longitudeE7\":-701250000},\"duration\":{\"startTimestamp\":"
          + "\"2024-05-01T10:00:00Z\",\"endTimestampMs\":\"1714557660000\"},\"simplifiedRawPath\":{\"points\":["
          + $0.dropFirst().dropLast().joined(separator: ",") + "]}}}]}"
      },
      points: points { "{\"latE7\":\(e7($1)),\"lngE7\":\(e7($2)),\"timestamp\":\"\($0)\"}" },
      bad: "{\"latE7\":1,\"lngE7\":1}", as: .noTime),
    TrackSample(
      "Google Timeline", { "{\"semanticSegments\": [{\"timelinePath\": [\($0.joined(separator: ","))]}]}" },
      points: points { "{\"point\":\"\($1)°, \($2)°\",\"time\":\"\($0)\"}" },
      bad: "{\"point\":\"north\",\"time\":\"2024-05-01T10:00:01Z\"}", as: .noPosition),
    TrackSample(
      "OwnTracks", { $0.joined(separator: "\n") + "\n" },
      points: walk.map {
        "2024-05-01T10:00:00Z\t*                 \t{\"_type\":\"location\",\"tst\":\(start + Int64($0.0)),\"lat\":\($0.1),"
          + "\"lon\":\($0.2),\"acc\":12}"
      }, bad: "2024-05-01T10:00:01Z\t*\t{\"_type\":\"location\",\"tst\":1714557601}", as: .noPosition),
    TrackSample(
      "GeoJSON", { "{\"type\":\"FeatureCollection\",\"features\":[\($0.joined(separator: ","))]}" },
      points: points {
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\($2),\($1)]},\"properties\":"
          + "{\"time\":\"\($0)\"}}"
      },
      bad:
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":{\"time\":\"now\"}}",
      as: .malformedTime),
    TrackSample(
      "CSV", { "lat,lon,time\n" + $0.joined(separator: "\n") + "\n" }, points: points { "\($1),\($2),\($0)" },
      bad: "1,2,2024-05-01 10:00:01", as: .noZone),
  ]

  private static func e7(_ degrees: Double) -> Int { Int((degrees * 1e7).rounded()) }
}

/// FIT files for tests.
enum FITText {
  /// Field 253 (time), 0 and 1 (position) of message 20, little endian.
  static let definition: [UInt8] = [0x40, 0, 0, 20, 0, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85]
  static let walk: [UInt8] = definition + TrackSample.walk.flatMap { record($0.0, $0.1, $0.2) }

  static func semicircles(_ degrees: Double?) -> Int32 {
    degrees.map { Int32(($0 / 180 * 2_147_483_648).rounded()) } ?? .max
  }

  /// FIT seconds of a time after the walk's start.
  static func time(_ seconds: Int) -> UInt32 { UInt32(TrackSample.start - 631_065_600) + UInt32(seconds) }

  static func record(_ seconds: Int, _ latitude: Double?, _ longitude: Double?, _ order: Bytes.Order = .little)
    -> [UInt8]
  {
    [0] + time(seconds).bytes(order) + semicircles(latitude).bytes(order) + semicircles(longitude).bytes(order)
  }

  /// With a header and a checksum that is computed bit by bit (CRC-16/ARC).
  static func file(_ messages: [UInt8]) -> [UInt8] {
    let header: [UInt8] = [12, 0x10, 0, 0] + UInt32(messages.count).bytes(.little) + Array(".FIT".utf8)
    let sum = (header + messages).reduce(UInt16(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte)) { bits, _ in bits & 1 == 1 ? bits >> 1 ^ 0xA001 : bits >> 1 }
    }
    return header + messages + sum.bytes(.little)
  }
}
