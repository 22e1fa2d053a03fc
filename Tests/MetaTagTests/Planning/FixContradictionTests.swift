import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Zones that the GPS time disproves")
struct FixContradictionTests {
  /// A photo at noon, and its GPS time.
  private func photo(_ fix: String, placed: Bool, recorded: String = "") throws -> Metadata {
    var photo = try GeotagPlannerTests.photo("2024-07-01T12:00:00\(recorded)")
    let instant = try CaptureTime(parsing: fix).instant(at: .utc)
    if placed {
      var location = Location(try .at(35.01, 135.76))
      location.timestamp = instant
      photo.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    } else {
      photo.satelliteTimes = [Sourced(instant, .exif, tag: "GPSTimeStamp")]
    }
    return photo
  }

  @Test(
    "A zone that the GPS time disproves is refused, and the fitting one is not.",
    arguments: [
      ("2024-07-01T03:00:00", "+02:00", "+09:00"), ("2024-07-01T03:00:00", "+09:00", nil),
      ("2024-07-01T03:00:00", "+12:00", "+09:00"), ("2024-07-01T02:35:00", "+09:00", nil),
      ("2024-07-01T02:35:00", "+02:00", "+09:00"), ("2024-07-01T06:30:00", "+05:30", nil),
      ("2024-07-01T06:30:00", "-01:00", "+05:30"), ("2024-06-29T03:00:00", "+09:00", "none"),
    ] as [(String, String, String?)], [true, false])
  func refused(_ row: (fix: String, zone: String, fitting: String?), placed: Bool) throws {
    let photo = try photo(row.fix, placed: placed)
    let zone = Zone.fixed(try #require(UTCOffset(row.zone)))
    let proposal = DatePlanner(.keepClock(zone)).propose(for: photo)
    guard case .skip(.clockWrong(let found)) = proposal else {
      #expect(row.fitting == nil, "\(proposal)")
      return
    }
    #expect(row.fitting == found.fitting?.description ?? "none")
    // A refused zone would be reported afterwards.
    let zoned = try self.photo(row.fix, placed: placed, recorded: row.zone)
    #expect(DateCheck(zoned, DateFacts()).findings.map(\.kind).contains(.gpsTime))
  }

  @Test("A zone that the GPS time confirms is not replaced by another.")
  func confirmed() throws {
    let photo = try photo("2024-07-01T03:00:00", placed: true, recorded: "+09:00")
    var planner = DatePlanner(.keepClock(.fixed(try #require(UTCOffset("+01:00")))))
    planner.overwrite = .replace
    guard case .skip(.clockWrong) = planner.propose(for: photo) else { throw Failure() }
  }

  @Test("An edit that keeps the instant is not refused because of an old fix.")
  func moment() throws {
    let photo = try photo("2024-07-01T03:00:00", placed: true, recorded: "+02:00")
    guard case .change = DatePlanner(.keepInstant(.fixed(.utc))).propose(for: photo) else { throw Failure() }
  }

  @Test(
    "A movie's fixed zone is not replaced.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func movie() throws {
    let path = FilePath(Corpus.shared.appending(path: "corpus/mov/sony-a7-xavc.MP4").path)
    let movie = try ImageSource(FileSource(path), path: path).metadata()
    let zone = Zone.fixed(try #require(UTCOffset("+02:00")))
    for rule in [DatePlanner.Rule.keepClock(zone), .keepInstant(zone)] {
      var planner = DatePlanner(rule)
      planner.overwrite = .replace
      #expect(planner.propose(for: movie) == .skip(.hasFixedZone(try #require(UTCOffset("+01:00")))))
    }
  }

  private struct Failure: Error {}
}
