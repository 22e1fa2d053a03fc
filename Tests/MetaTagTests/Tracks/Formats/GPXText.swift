import TestSupport

@testable import MetaTag

/// GPX files for tests, written as short as possible.
enum GPXText {
  /// A `trkpt`: `"10,20 2024-05-01T10:00:00Z"` and further elements.
  static func point(_ text: String, _ rest: String = "") -> String {
    let words = text.split(separator: " ", maxSplits: 1)
    let numbers = words[0].split(separator: ",")
    let time = words.count == 2 ? "<time>\(words[1])</time>" : ""
    return "<trkpt lat=\"\(numbers[0])\" lon=\"\(numbers[1])\">\(rest)\(time)</trkpt>"
  }

  /// A file of one track with these segments.
  static func file(_ segments: [String]...) -> String {
    let body = segments.map { "<trkseg>\($0.joined())</trkseg>" }.joined()
    return "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk>\(body)</trk></gpx>"
  }

  static func track(_ segments: [String]...) throws -> Track {
    let body = segments.map { "<trkseg>\($0.joined())</trkseg>" }.joined()
    return try Track(bytes: Array("<gpx><trk>\(body)</trk></gpx>".utf8), name: "test.gpx")
  }

  /// `t.gpx` of the worked cases D1–D8: two segments with a break of 50 minutes.
  static func worked() throws -> Track {
    try track(
      [
        point("10,20 2024-05-01T10:00:00Z", "<ele>100</ele>"), point("11,22 2024-05-01T10:10:00Z", "<ele>200</ele>"),
      ],
      [
        point("12,24 2024-05-01T11:00:00Z", "<ele>300</ele>"), point("13,26 2024-05-01T11:10:00Z", "<ele>400</ele>"),
      ])
  }
}
