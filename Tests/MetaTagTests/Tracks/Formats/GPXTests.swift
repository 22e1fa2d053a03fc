import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("GPX")
struct GPXTests {
  static func read(_ text: String) throws -> Track { try Track(bytes: Array(text.utf8), name: "t.gpx") }
  static let (first, second) = (
    GPXText.point("10,20 2024-05-01T10:00:00Z"), GPXText.point("11,22 2024-05-01T10:10:00Z")
  )

  @Test(
    "GPX is recognised by its root element, whatever precedes it.",
    arguments: [
      "<gpx/>", "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<gpx version=\"1.0\"></gpx>", "\u{FEFF}<gpx></gpx>",
      "<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\"></g:gpx>",
      "<?xml version=\"1.0\"?><!DOCTYPE gpx><gpx></gpx>",
      "<!DOCTYPE gpx SYSTEM \"http://a.b/>[gpx.dtd\" >\n<gpx></gpx>",
    ])
  func recognized(text: String) throws { #expect(try GPXTests.read(text).isEmpty) }

  @Test(
    "Any other file is unsupported.",
    arguments: [
      "", "<html></html>", "$PXYZ,", "\u{FF}\u{D8}", "gpx", "<!DOCTYPE gpx><html/>",
      "<!DOCTYPE html [<!ENTITY a 'gpx'>]>",
    ])
  func notRecognized(text: String) {
    let error = #expect(throws: FileError.self) { try GPXTests.read(text) }
    #expect(error?.kind == .unsupported)
  }

  @Test("A track has segments, and their points have every used value.")
  func values() throws {
    let track = try GPXTests.read(
      GPXText.file(
        [
          GPXText.point(
            "-10.5,20.25 2024-05-01T10:00:00.25Z",
            "<ele>-0.0</ele><magvar>3</magvar><fix>3d</fix><sat>9</sat><hdop>2</hdop><pdop>2.5</pdop>"
              + "<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.5</gpxtpx:speed>"
              + "<gpxtpx:course>361</gpxtpx:course></gpxtpx:TrackPointExtension></extensions>")
        ],
        [GPXText.point("1,2 2024-05-01T12:30:00+02:00", "<ele> <![CDATA[7]]> </ele><speed/><course></course>")]))
    #expect(track.segments.count == 2)
    let point = try #require(track.segments.first?.points.first)
    #expect(point.instant == Instant(seconds: 1_714_557_600, nanoseconds: 250_000_000))
    #expect(point.coordinate == Coordinate(latitude: -10.5, longitude: 20.25))
    #expect(point.altitude == 0 && point.speed == 1.5 && point.course?.degrees == 1)
    #expect(point.dilutionOfPrecision == 2.5)
    let other = try #require(track.segments.last?.points.first)
    #expect(other.instant == Instant(seconds: 1_714_559_400))
    #expect(other.altitude == 7 && other.speed == nil && other.course == nil && other.dilutionOfPrecision == nil)
  }

  @Test("A document type with declarations is refused.", arguments: [" ", "\n", ""])
  func declarations(blank: String) {
    let error = #expect(throws: FileError.self) {
      try GPXTests.read(
        "<?xml version=\"1.0\"?><!DOCTYPE gpx\(blank)[<!ENTITY a \"]>\">]>" + GPXText.file([GPXTests.first]))
    }
    #expect(error?.kind == .refused && error?.offset == 21)
    #expect(error?.description.contains("internal subset in <!DOCTYPE>") ?? false)
  }

  @Test("A point's extensions override only its speed and course.")
  func extensions() throws {
    let added = ["time": "2024-05-01T12:00:00Z", "ele": "999", "fix": "none", "hdop": "9", "pdop": "9"].sorted {
      $0 < $1
    }
    .map { "<x:\($0.key)>\($0.value)</x:\($0.key)>" }.joined()
    let point =
      "<trkpt lat=\"1\" lon=\"2\"><ele>400</ele><time>2024-05-01T10:00:00Z</time><hdop>2</hdop>"
      + "<extensions><x:sample>\(added)<x:speed>3</x:speed></x:sample></extensions></trkpt>"
    let track = try GPXText.track([point])
    let read = try #require(track.segments.first?.points.first)
    #expect(read.instant == Instant(seconds: 1_714_557_600) && read.altitude == 400)
    #expect(read.dilutionOfPrecision == 2 && read.speed == 3)
  }

  @Test("Waypoints and routes are not part of the track.")
  func waypoints() throws {
    let track = try GPXTests.read(
      "<gpx><wpt lat=\"60\" lon=\"60\"><time>2024-05-01T10:05:00Z</time></wpt><rte><rtept lat=\"1\" lon=\"1\">"
        + "<time>2024-05-01T10:05:00Z</time></rtept></rte><trk><trkseg>\(GPXTests.first)</trkseg></trk></gpx>")
    #expect(track.count == 1 && track.sources.map(\.warnings) == [[]])
  }

  @Test("A file with only waypoints or a route gives a warning.")
  func onlyWaypoints() throws {
    let place = "lat=\"60\" lon=\"60\"/>"
    let track = try GPXTests.read("<gpx><wpt \(place)<wpt \(place)<rte><rtept \(place)</rte></gpx>")
    #expect(track.isEmpty && track.sources.map(\.rejected) == [[:]])
    #expect(track.sources.map(\.warnings) == [[.onlyPlaces(2), .onlyRoutes(1)]])
    #expect(track.sources[0].warnings.map(\.remedy) == [.importPlaces, .exportTrack])
  }

  @Test(
    "Points that aren't fixes are counted by reason.",
    arguments: [
      ("<trkpt lat=\"1\" lon=\"2\"></trkpt>", .noTime), ("<trkpt lat=\"1\" lon=\"2\"/>", .noTime),
      ("<trkpt lat=\"1\" lon=\"2\"><time> </time></trkpt>", .noTime),
      ("<trkpt lat=\"1\" lon=\"2\"><x><y><z/></y></x></trkpt>", .noTime),
      (GPXText.point("1,2 2024-05-01"), .malformedTime), (GPXText.point("1,2 yesterday"), .malformedTime),
      (GPXText.point("91,2 2024-05-01T10:00:00Z"), .noPosition),
      (GPXText.point("1,181 2024-05-01T10:00:00Z"), .noPosition),
      (GPXText.point("nan,2 2024-05-01T10:00:00Z"), .noPosition),
      (GPXText.point("1e400,2 2024-05-01T10:00:00Z"), .noPosition),
      ("<trkpt lat=\"1\"><time>2024-05-01T10:00:00Z</time></trkpt>", .noPosition),
      (GPXText.point("1,2 2024-05-01T10:00:00Z", "<fix>none</fix>"), .noFix),
    ] as [(String, TrackSource.Rejection)])
  func rejections(point: String, reason: TrackSource.Rejection) throws {
    let track = try GPXText.track([point, GPXTests.first])
    #expect(track.count == 1)
    #expect(track.sources.map(\.rejected) == [[reason: 1]])
  }

  @Test("A time without a zone is UTC, as GPX requires, and is counted.")
  func withoutZone() throws {
    let track = try GPXText.track([GPXText.point("1,2 2024-05-01T10:00:00")])
    #expect(track.start == Instant(seconds: 1_714_557_600))
    #expect(track.sources.map(\.warnings) == [[.withoutZone(1)]])
  }

  @Test("Points out of order are sorted, with a warning.")
  func unordered() throws {
    let track = try GPXText.track([GPXTests.second, GPXTests.first])
    #expect(track.segments.map { $0.points.map(\.coordinate.latitude) } == [[10, 11]])
    #expect(track.sources.map(\.warnings) == [[.unordered(1)]])
  }

  @Test(
    "Of points at the same time the most precise is kept, else the last.",
    arguments: [
      (["", ""], 1), (["<hdop>1</hdop>", "<hdop>2</hdop>"], 0), (["<hdop>2</hdop>", "<hdop>1</hdop>"], 1),
      (["<hdop>1</hdop>", ""], 0), (["", "<hdop>9</hdop>"], 1), (["<hdop>1</hdop>", "<hdop>1</hdop>"], 1),
    ])
  func sameTime(values: [String], kept: Int) throws {
    let points = values.enumerated().map { GPXText.point("\($0.offset),5 2024-05-01T10:00:00Z", $0.element) }
    let track = try GPXText.track(points)
    #expect(track.segments.map { $0.points.map(\.coordinate.latitude) } == [[Double(kept)]])
    #expect(track.sources.map(\.warnings) == [[.sameTime(1)]])
  }

  @Test("A file that breaks off is read up to there.")
  func brokenOff() throws {
    let whole = GPXText.file([GPXTests.first, GPXTests.second])
    let start = try #require(whole.range(of: "</trkpt>")).upperBound
    for end in whole.indices[start...].dropLast() {
      let track = try GPXTests.read(String(whole[..<end]))
      #expect((1...2).contains(track.count))
      #expect(track.sources.map(\.warnings) == [[.brokenOff(end.utf16Offset(in: whole))]])
    }
  }

  @Test("Fixes before invalid XML are read, and the offset is reported.")
  func broken() throws {
    let whole = GPXText.file([GPXTests.first, GPXTests.second])
    let start = try #require(whole.range(of: "</trkpt>")).upperBound
    for junk in ["\0\0\0\0<trkpt lat", "<trkpt lat=1>", "</gpx>", "<a <b>"] {
      let track = try GPXTests.read(whole[..<start] + junk + String(repeating: "<x/>", count: 10_000))
      #expect(track.count == 1, "\(junk)")
      guard case .broken(let offset, fixes: 1)? = track.sources.first?.warnings.first else {
        Issue.record("\(junk): \(track.sources)")
        continue
      }
      let place = start.utf16Offset(in: whole)
      #expect((place...place + junk.utf8.count).contains(offset), "\(junk)")
    }
  }

  @Test("A file with invalid XML before its first fix is an error with its offset.")
  func malformed() {
    let error = #expect(throws: FileError.self) { try GPXTests.read("<gpx><trk></gpx>") }
    #expect(error?.kind == .malformed)
    #expect(error?.offset == 10)
  }

  @Test(
    "UTF-16 is read in either byte order.", arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian],
    [true, false])
  func utf16(encoding: String.Encoding, hasMark: Bool) throws {
    let text = (hasMark ? "\u{FEFF}" : "") + GPXText.file([GPXTests.first, "<!-- 東京 🗼 -->", GPXTests.second])
    let track = try Track(bytes: Array(try #require(text.data(using: encoding))), name: "t.gpx")
    #expect(track.count == 2)
  }

  @Test("Every real file is read or refused with the reason.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    let files = Corpus.files("corpus/track").filter { $0.pathExtension == "gpx" }
    try #require(files.count > 30)
    for file in files {
      do {
        let track = try Track.read(file.filePath)
        let points = try String(contentsOf: file, encoding: .isoLatin1).components(separatedBy: "<trkpt").count - 1
        let source = try #require(track.sources.first)
        let recorded = source.warnings.reduce(0) { if case .sameTime(let count) = $1 { $0 + count } else { $0 } }
        #expect(source.count + source.rejected.values.reduce(0, +) + recorded == points, "\(file.lastPathComponent)")
      } catch {
        #expect(
          ["gpx-with-node-with-comments.gpx"].contains(file.lastPathComponent), "\(file.lastPathComponent): \(error)")
      }
    }
  }
}
