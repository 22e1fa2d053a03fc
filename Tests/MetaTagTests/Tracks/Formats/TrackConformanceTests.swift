import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Every track format")
struct TrackConformanceTests {
  @Test("Every track format has a sample.") func samples() {
    #expect(TrackSample.all.map(\.format).sorted() == trackFormats.map(\.name).sorted())
  }

  @Test("Every format gives the same fixes for the same walk.", arguments: TrackSample.all)
  func walk(sample: TrackSample) throws {
    let track = try Track(bytes: sample.bytes, name: "walk")
    #expect(track.sources.map(\.format) == [sample.format])
    #expect(track.sources.map(\.rejected) == [[:]] && track.sources.map(\.warnings) == [[]])
    #expect(track.segments.count == 1)
    let points = try #require(track.segments.first?.points)
    #expect(points.map(\.instant) == TrackSample.walk.map { Instant(seconds: TrackSample.start + Int64($0.0)) })
    for (point, expected) in zip(points, TrackSample.walk) {
      #expect(abs(point.coordinate.latitude - expected.1) <= sample.tolerance)
      #expect(abs(point.coordinate.longitude - expected.2) <= sample.tolerance)
    }
  }

  @Test("Every format counts unusable points by reason.", arguments: TrackSample.all)
  func rejections(sample: TrackSample) throws {
    let track = try Track(bytes: sample.bad.bytes, name: "walk")
    #expect(track.count == 3)
    #expect(track.sources.map(\.rejected) == [[sample.bad.reason: 1]])
  }

  @Test("A file that breaks off gives the points before that, or an error.", arguments: TrackSample.all)
  func brokenOff(sample: TrackSample) throws {
    let whole = try #require(try Track(bytes: sample.bytes, name: "walk").segments.first?.points)
    var read = 0
    for count in sample.bytes.indices {
      guard let track = try? Track(bytes: Array(sample.bytes[..<count]), name: "walk") else { continue }
      read += 1
      #expect(whole.starts(with: track.segments.flatMap(\.points)), "\(count) bytes")
    }
    #expect(read > 0)
  }

  @Test("Every format is read gzipped, zipped and in UTF-16.", arguments: TrackSample.all)
  func packed(sample: TrackSample) throws {
    let scratch = try Scratch()
    var files = [try scratch.write(try UnpackingTests.gzip(sample.bytes), as: "walk.gz")]
    let plain = try scratch.write(sample.bytes, as: "walk")
    let zip = scratch.url.appending(path: "walk.zip")
    let made = try Oracle.run("python3", ["-m", "zipfile", "-c", zip.path, plain.path, files[0].path])
    try #require(made.status == 0, "\(made.errors)")
    if sample.isText {
      let text = "\u{FEFF}" + String(decoding: sample.bytes, as: UTF8.self)
      for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf8] {
        files.append(try scratch.write(try #require(text.data(using: encoding)), as: "walk\(files.count)"))
      }
    }
    for file in files { #expect(try Track.read(file.filePath).count == 3, "\(file.lastPathComponent)") }
    let reading = try TrackReading(zip.filePath)
    #expect(reading.tracks.map(\.count) == [3, 3] && reading.passed.isEmpty)
  }

  @Test("Hostile numbers and bytes never trap.", arguments: TrackSample.all)
  func hostile(sample: TrackSample) throws {
    var generator = SeededGenerator(seed: 51)
    let numbers = ["1e400", "-9223372036854775808", "99999999999999999999", "nan", "-", "", "\u{0}", "0.0.0", "💥"]
    for round in 0..<400 {
      var bytes = sample.bytes
      let at = Int.random(in: bytes.indices, using: &generator)
      if sample.isText, round % 2 == 0 {
        let digits = bytes[at...].prefix { (0x30...0x39).contains($0) }
        bytes.replaceSubrange(digits.indices, with: Array(numbers[round / 2 % numbers.count].utf8))
      } else {
        bytes[at] = UInt8.random(in: 0...255, using: &generator)
      }
      let track = try? Track(bytes: bytes, name: "walk")
      #expect(track.map { $0.count <= 5_000 } ?? true)
    }
  }
}
