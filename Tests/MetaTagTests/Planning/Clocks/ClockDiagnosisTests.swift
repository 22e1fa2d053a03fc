import SystemPackage
import Testing

@testable import MetaTag

@Suite("Diagnosis of a camera outside the track")
struct ClockDiagnosisTests {
  /// Six hours in Tokyo, 09:00 to 15:00 there, with a fix every ten minutes.
  static let day = [
    (0...36).map { "35,139.\($0 + 10) 2024-07-01T0\($0 / 6):\($0 % 6)0:00Z" }
  ]

  /// Photos of camera A, one every ten minutes, from an hour of the first of July by its clock.
  static func photos(from hour: Int, _ count: Int, offset: String = "") throws -> [Metadata] {
    try (0..<count).map { number in
      let minutes = hour * 60 + number * 10 + 5
      let day = minutes >= 1_440 ? "02" : "01"
      let (hours, rest) = (minutes % 1_440 / 60, minutes % 60)
      let time = "2024-07-\(day)T\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest):00\(offset)"
      return try ZoneEvidenceTests.photo(time)
    }
  }

  /// Returns the outcome of the last of them.
  static func outcome(
    _ photos: [Metadata], _ change: (inout GeotagPlanner) -> Void = { _ in }
  ) throws -> (proposal: Proposal, diagnosis: ClockDiagnosis?) {
    var zoneEvidence = ZoneEvidence()
    for photo in photos { zoneEvidence.take(NumberedPhoto(path: "IMG_1.JPG", metadata: photo)) }
    var diagnosis: ClockDiagnosis?
    let last = try #require(photos.last)
    let proposal = try TrackZonesTests.proposal(day, last) { planner in
      change(&planner)
      planner.diagnose(zoneEvidence)
      diagnosis = planner.diagnoses[CameraBody(of: last)]
    }
    return (proposal, diagnosis)
  }

  @Test("A wrong clock is diagnosed, and photos that an assumed zone would place are held back.")
  func held() throws {
    // 04:05 to 08:55, and two from nine o'clock on: a clock that is some hours slow.
    let found = try Self.outcome(try Self.photos(from: 4, 32))
    let diagnosis = try #require(found.diagnosis)
    #expect((diagnosis.count, diagnosis.outside) == (32, 30))
    #expect(diagnosis.farthest == 4 * 3_600 + 55 * 60)
    #expect(diagnosis.attainable == 32)
    #expect(found.proposal == .skip(.doubtfulClock(diagnosis)))
    let trusted = try Self.outcome(try Self.photos(from: 4, 32)) { $0.trustsClock = true }
    guard case .change = trusted.proposal else { throw Unexpected() }
    #expect(trusted.diagnosis == diagnosis)
  }

  @Test("A wrong clock is diagnosed, but a recorded or given zone is trusted.")
  func believed() throws {
    let recorded = try Self.outcome(try Self.photos(from: 4, 32, offset: "+09:00"))
    guard case .change = recorded.proposal else { throw Unexpected() }
    #expect(recorded.diagnosis?.outside == 30)
    let given = try Self.outcome(try Self.photos(from: 4, 32)) { $0.clock.zone = try? Zone(parsing: "+04:00") }
    #expect(given.diagnosis == nil)
  }

  @Test(
    "Nothing is diagnosed if no other clock fits much better, or the photos are few or of another day.",
    arguments: [(9, 30), (10, 36), (7, 25), (4, 4), (8, 13)])
  func fitting(hour: Int, count: Int) throws {
    #expect(try Self.outcome(try Self.photos(from: hour, count)).diagnosis == nil)
  }

  @Test("Photos more than 26 hours from the track don't count.")
  func others() throws {
    let far = try (0..<40).map { try ZoneEvidenceTests.photo("2024-07-09T10:\($0 + 10):00") }
    #expect(try Self.outcome(far + (try Self.photos(from: 10, 6))).diagnosis == nil)
  }

  @Test("A known clock error or offset makes the photos fit again.")
  func corrected() throws {
    let photos = try Self.photos(from: 4, 32)
    let found = try Self.outcome(photos) { $0.errors = ClockErrors(TimeShift(seconds: 5 * 3_600)) }
    #expect(found.diagnosis == nil)
    let synced = try Self.outcome(photos) {
      $0.syncedOffsets[CameraBody(of: photos[0])] = UTCOffset(seconds: 4 * 3_600)
    }
    #expect(synced.diagnosis == nil)
    guard case .change(_, .matched(_, let reading)) = synced.proposal else { throw Unexpected() }
    #expect(reading.isSynced && !reading.isOfPlace && "\(reading.offset)" == "+04:00")
  }
}
