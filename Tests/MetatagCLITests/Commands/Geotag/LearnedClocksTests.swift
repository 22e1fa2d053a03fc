import Foundation
import GeoIndex
import MetaTag
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("What planners learned")
struct LearnedClocksTests {
  @Test(
    "A planner that gets what another learned, in writing, proposes the same for every photo of a trip.",
    arguments: TripTests.seeds, [false, true])
  func roundTheWorld(seed: UInt64, estimates: Bool) throws {
    let trip = try Trip.roundTheWorld(seed: seed)
    let captured = try Captured()
    let zones = ZoneLookup(console: captured.console)
    let photos = trip.photos.map { NumberedPhoto(path: FilePath($0.name), metadata: $0.metadata) }
    func planner() -> GeotagPlanner { GeotagPlanner(track: trip.track, zone: { zones.zone(at: $0) }) }
    var (first, evidence) = (planner(), ZoneEvidence())
    photos.forEach { evidence.take($0) }
    first.resolveDoubts { photos }
    if estimates {
      first.estimates = ClockEstimates(of: photos.map(\.metadata), on: trip.track, zone: { zones.zone(at: $0) })
      first.consider(evidence)
      first.diagnose(evidence)
    }
    let written = try JSONEncoder().encode(first.learned)
    var second = planner()
    second.learned = try JSONDecoder().decode(GeotagPlanner.Learned.self, from: written)
    var proposals: Set<String> = []
    for photo in photos {
      let (one, other) = ("\(first.propose(for: photo.metadata))", "\(second.propose(for: photo.metadata))")
      if one != other { Issue.record("\(photo.path): \(one), \(other)") }
      proposals.insert(one)
    }
    #expect(proposals.count > 100)
    // Nothing else would do.
    let plain = planner()
    #expect(photos.contains { "\(plain.propose(for: $0.metadata))" != "\(first.propose(for: $0.metadata))" })
    // The text doesn't depend on the order of dictionaries.
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(second.learned) == encoder.encode(first.learned))
  }
}
