import Testing

@testable import MetaTag

@Suite("FIT")
struct FITTests {
  static func track(_ messages: [UInt8]) throws -> Track { try Track(bytes: FITText.file(messages), name: "t.fit") }

  @Test("Big-endian messages are read like little-endian ones.")
  func bigEndian() throws {
    let definition: [UInt8] = [0x40, 0, 1, 0, 20, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85]
    let track = try FITTests.track(definition + FITText.record(0, 47.5, -8.25, .big))
    let point = try #require(track.segments.first?.points.first)
    #expect(point.coordinate.isSame(as: try #require(Coordinate(latitude: 47.5, longitude: -8.25))))
    #expect(point.instant.seconds == TrackSample.start)
  }

  @Test("Altitude, speed and accuracy have the profile's scales, and developer fields are ignored.")
  func values() throws {
    let definition: [UInt8] = [
      0x60, 0, 0, 20, 0, 6, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84, 6, 2, 0x84, 31, 1, 2, 1, 0, 3, 0,
    ]
    let values = UInt16(4_500).bytes(.little) + UInt16(1_500).bytes(.little) + [7]
    let track = try FITTests.track(
      definition + (0..<2).flatMap { FITText.record($0, 47.5, 8.25) + values + [1, 2, 3] })
    let points = track.segments.flatMap(\.points)
    #expect(points.count == 2)
    #expect(points.allSatisfy { $0.altitude == 400 && $0.speed == 1.5 && $0.accuracy == 7 })
  }

  @Test("Compressed times continue from the last whole one, modulo 32 seconds.")
  func compressedTimes() throws {
    let short: [UInt8] = [0x41, 0, 0, 20, 0, 2, 0, 4, 0x85, 1, 4, 0x85]
    let first = FITText.time(0)
    let position: [UInt8] = FITText.semicircles(47.5).bytes(.little) + FITText.semicircles(8.25).bytes(.little)
    var messages: [UInt8] = FITText.definition + FITText.record(0, 47.5, 8.25) + short
    for later in [5, 31, 35] as [UInt32] { messages += [0xA0 | UInt8((first + later) & 0x1F)] + position }
    let points = try FITTests.track(messages).segments.flatMap(\.points)
    #expect(points.map { $0.instant.seconds - TrackSample.start } == [0, 5, 31, 35])
  }

  @Test("A stopped timer ends a segment, and chained files are read.")
  func segments() throws {
    let event: [UInt8] = [0x42, 0, 0, 21, 0, 2, 0, 1, 0, 1, 1, 0, 2, 0, 4]
    let file = FITText.file(FITText.definition + FITText.record(0, 1, 2) + event + FITText.record(60, 1, 2))
    let track = try Track(bytes: file + FITText.file(FITText.definition + FITText.record(120, 1, 2)), name: "t.fit")
    #expect(track.segments.map(\.points.count) == [1, 2])
  }

  @Test("A wrong checksum gives a warning.")
  func checkSum() throws {
    var file = FITText.file(FITText.walk)
    file[file.count - 1] ^= 1
    #expect(try Track(bytes: file, name: "t.fit").sources.map(\.warnings) == [[.damaged]])
  }

  @Test("A file that was never closed, with no length in its header, breaks off at its end.", arguments: [0, 2])
  func unclosed(sumCount: Int) throws {
    var file = FITText.file(FITText.walk)
    file.removeLast(2 - sumCount)
    file.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    let track = try Track(bytes: file, name: "t.fit")
    #expect(track.count == 3)
    let warnings = track.sources.flatMap(\.warnings)
    guard warnings.count == 1, case .brokenOff = warnings[0] else {
      Issue.record("\(warnings)")
      return
    }
  }

  @Test("A time from before the clock was set is malformed.")
  func unsetClock() throws {
    let record: [UInt8] = [0] + UInt32(90).bytes(.little) + Array(FITText.record(0, 1, 2).dropFirst(5))
    #expect(try FITTests.track(FITText.definition + record).sources.map(\.rejected) == [[.malformedTime: 1]])
  }

  @Test(
    "A message without a valid definition is an error with its offset.",
    arguments: [([0x05], 12), ([0x40, 0, 2, 0, 20, 0], 13)] as [([UInt8], Int)])
  func malformed(messages: [UInt8], offset: Int) {
    let error = #expect(throws: FileError.self) { try FITTests.track(messages) }
    #expect(error?.kind == .malformed && error?.offset == offset)
  }
}
