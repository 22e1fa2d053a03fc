import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Reading tracks")
struct TrackReadingTests {
  static func gpx(_ points: String...) -> [UInt8] { Array(GPXText.file(points.map { GPXText.point($0) }).utf8) }

  @Test("A folder gives its tracks in the order of their names, and lists other files.")
  func folder() throws {
    let scratch = try Scratch()
    try scratch.write(TrackReadingTests.gpx("1,2 2024-05-01T10:00:00Z"), as: "b.gpx")
    try scratch.write(TrackSample.all[11].bytes, as: "a.csv")
    try scratch.write(Array("hello".utf8), as: "notes.txt")
    try scratch.write(Array("hello".utf8), as: ".hidden")
    let reading = try TrackReading(scratch.url.filePath)
    #expect(reading.tracks.flatMap(\.sources).map(\.name) == ["a.csv", "b.gpx"])
    #expect(reading.passed.map(\.name) == ["notes.txt"])
  }

  @Test("Subfolders are read, photos are counted, and links to folders aren't followed.")
  func folders() throws {
    let scratch = try Scratch()
    let day = scratch.url.appending(path: "2024/may")
    try FileManager.default.createDirectory(at: day, withIntermediateDirectories: true)
    for (name, bytes) in [
      ("2024/may/a.gpx", TrackReadingTests.gpx("1,2 2024-05-01T10:00:00Z")),
      ("z.gpx", TrackReadingTests.gpx("1,2 2024-05-02T10:00:00Z")), ("2024/IMG_1.JPG", [1]), ("2024/IMG_2.NEF", [1]),
      ("2024/notes.txt", [1]),
    ] { try scratch.write(bytes, as: name) }
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appending(path: "again"), withDestinationURL: scratch.url.appending(path: "2024"))
    let reading = try TrackReading(scratch.url.filePath)
    #expect(reading.tracks.flatMap(\.sources).map(\.name) == ["z.gpx", "2024/may/a.gpx"])
    #expect(reading.passed.map(\.name) == ["2024/notes.txt", scratch.url.lastPathComponent])
    #expect(reading.passed.last?.reason.description == "2 photos are not tracks")
  }

  @Test("Segments of one track with different locations at one time conflict.", arguments: [0.001, 1])
  func ownConflict(degrees: Double) throws {
    let segments = [20, 20 + degrees].map { east in
      ["10:00:00", "10:01:00"].map { GPXText.point("10,\(east) 2024-05-01T\($0)Z") }
    }
    let later = [GPXText.point("10,30 2024-05-01T12:00:00Z")]
    let track = try Track(bytes: Array(GPXText.file(segments[0], segments[1], later).utf8), name: "a")
    let conflicts = TrackConflict.among([track]).conflicts
    #expect(conflicts.map(\.names) == (degrees == 1 ? [["a"]] : []))
    #expect(conflicts.allSatisfy { (109_000...110_000).contains($0.metres) })
  }

  @Test("A very long segment is complete, in order, and takes no excess memory.")
  func longSegment() throws {
    var builder = TrackBuilder()
    let count = (1 << 21) + 7
    let place = try #require(Coordinate(latitude: 1, longitude: 2))
    for index in 0..<count { builder.add(TrackPoint(Instant(seconds: Int64(index)), place)) }
    #expect(builder.count == count && !builder.isEmpty)
    let points = builder.track(name: "long", format: "").segments.first?.points ?? []
    #expect(points.count == count && points.capacity < count + (1 << 20))
    #expect(points.last?.instant.seconds == Int64(count - 1))
  }

  @Test("A folder without a track is an error with the reason.", arguments: ["", "hello"])
  func none(text: String) throws {
    let scratch = try Scratch()
    if !text.isEmpty { try scratch.write(Array(text.utf8), as: "notes.txt") }
    let error = #expect(throws: FileError.self) { try TrackReading(scratch.url.filePath) }
    #expect(error?.description.contains(text.isEmpty ? "no file" : "notes.txt: is not a track file") ?? false)
  }

  @Test("Long files are read across the borders of their chunks.", arguments: ["gpx", "csv", "json"])
  func pieces(format: String) throws {
    let count = 40_000
    let texts = (0..<count).map { index in
      let time = 1_714_557_600 + index
      switch format {
      case "gpx":
        let clock = "\((index / 3_600 + 10).padded(2)):\((index / 60 % 60).padded(2)):\((index % 60).padded(2))"
        return GPXText.point("\(Double(index) / 1_000),7 2024-05-01T\(clock)Z", "<!-- \(index) -->")
      case "csv": return "\(time),\(Double(index) / 1_000),7\n"
      default: return "{\"latitudeE7\":\(index * 10_000),\"longitudeE7\":70000000,\"timestampMs\":\"\(time)000\"}"
      }
    }
    let text =
      switch format {
      case "gpx": "<gpx><trk><trkseg>\(texts.joined())</trkseg></trk></gpx>"
      case "csv": "time,lat,lon\n" + texts.joined()
      default: "{\"locations\":[\(texts.joined(separator: ",\n"))]}"
      }
    let points = try Track(bytes: Array(text.utf8), name: "long").segments.flatMap(\.points)
    #expect(points.count == count)
    #expect(points.enumerated().allSatisfy { Int(($1.coordinate.latitude * 1_000).rounded()) == $0 })
    #expect(points.enumerated().allSatisfy { $1.instant.seconds == 1_714_557_600 + Int64($0) })
  }

  @Test("Tracks with different locations at one time conflict.")
  func conflicts() throws {
    let here = try Track(
      bytes: TrackReadingTests.gpx("10,20 2024-05-01T10:00:00Z", "10,20 2024-05-01T10:01:00Z"), name: "a")
    let near = try Track(
      bytes: TrackReadingTests.gpx("10.001,20 2024-05-01T10:00:30Z", "10.001,20 2024-05-01T10:01:30Z"), name: "b")
    let far = try Track(
      bytes: TrackReadingTests.gpx("10,21 2024-05-01T10:00:30Z", "10,21 2024-05-01T10:01:30Z"), name: "c")
    let later = try Track(bytes: TrackReadingTests.gpx("10,21 2024-05-01T11:00:30Z"), name: "d")
    let (conflicts, isComplete) = TrackConflict.among([here, near, far, later])
    #expect(isComplete)
    #expect(conflicts.map(\.names) == [["a", "c"], ["b", "c"]])
    #expect(conflicts.allSatisfy { (109_000...110_000).contains($0.metres) })
  }

  @Test(
    "Sparse fixes conflict if the distance between them is too far for the time.",
    arguments: [("47,15", 1_800, 1), ("47,15", 500, 0), ("46.02,14.15", 1_800, 0)])
  func sparseConflicts(place: String, longest: Double, count: Int) throws {
    let here = try Track(
      bytes: TrackReadingTests.gpx(
        "46,14 2024-05-01T10:00:00Z", "46,14.1 2024-05-01T10:10:00Z", "46,14.2 2024-05-01T10:20:00Z"), name: "a")
    let other = try Track(
      bytes: TrackReadingTests.gpx(
        "\(place) 2024-05-01T10:05:00Z", "\(place) 2024-05-01T10:15:00Z", "\(place) 2024-05-01T10:25:00Z"), name: "b")
    #expect(TrackConflict.among([here, other], bridging: longest).conflicts.count == count)
  }

  @Test("Of many simultaneous tracks not every pair is compared, and the result says so.")
  func manyTracks() throws {
    let tracks = try (0..<300).map { day in
      let date = try #require(Instant(seconds: 1_714_557_600 + Int64(day) * 86_400).inUTC)
      return try ["2024-05-01T10:00:00Z", date].map {
        try Track(bytes: TrackReadingTests.gpx("10,20 \($0)"), name: "\(day)")
      }
    }
    #expect(TrackConflict.among(tracks.map { $0[0] }) == ([], false))
    #expect(TrackConflict.among(tracks.map { $0[1] }) == ([], true))
  }

  @Test("A point takes 40 bytes and keeps its values.")
  func layout() throws {
    #expect(MemoryLayout<TrackPoint>.stride == 40)
    let place = try #require(Coordinate(latitude: 47.123456852, longitude: -122.987654258))
    let instant = Instant(seconds: 1_714_557_600, nanoseconds: 250_000_000)
    let point = TrackPoint(
      instant, place, altitude: 8_848.861, speed: 7.7167, course: 359.99, dilutionOfPrecision: 0.85, accuracy: 1_234)
    #expect(point.instant == instant && point.coordinate == place && point.altitude == 8_848.861)
    #expect(point.speed == 7.7167 && point.course?.degrees == 359.99 && point.dilutionOfPrecision == 0.85)
    #expect(point.accuracy == 1_230)
    let extreme = TrackPoint(Instant(seconds: .min), place, altitude: .infinity, accuracy: 1e9)
    #expect(extreme.microseconds == .min && extreme.altitude == nil && extreme.accuracy == 60_000)
  }
}
