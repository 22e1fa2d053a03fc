import TestSupport
import Testing

@testable import MetaTag

@Suite("Search in a track")
struct TrackSearchTests {
  @Test("the search finds what looking at every fix finds")
  func search() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      var segments: [[TrackPoint]] = []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        var seconds = Int64.random(in: 0...200, using: &generator)
        segments.append(
          (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
            seconds += .random(in: 1...40, using: &generator)
            return Coordinate(latitude: .random(in: -80...80, using: &generator), longitude: 7)
              .map { TrackPoint(Instant(seconds: seconds), $0) }
          })
      }
      let track = Track(segments.compactMap { Track.Segment($0) }, sources: [])
      let rules = TrackMatchTests.rules(gap: 30, nearest: 10)
      for second in Int64(-20)...400 {
        let instant = Instant(seconds: second)
        let pairs = track.segments.flatMap { zip($0.points, $0.points.dropFirst()) }
          .filter { $0.instant < instant && instant < $1.instant }
        let shortest = pairs.map { $1.instant.timeInterval(since: $0.instant) }.min()
        let nearest = track.segments.flatMap(\.points).map { abs($0.instant.timeInterval(since: instant)) }.min()
        switch Result(catching: { () throws(NoMatch) in try track.match(instant, rules: rules).fixes }) {
        case .success(.exact): #expect(nearest == 0)
        case .success(.between(let a, let b)):
          #expect(nearest != 0 && b.instant.timeInterval(since: a.instant) == shortest)
        case .success(.nearest(let fix)):
          #expect(abs(fix.instant.timeInterval(since: instant)) == nearest && shortest ?? 31 > 30)
        case .failure: #expect(nearest ?? 11 > 10 && shortest ?? 31 > 30)
        }
      }
    }
  }

  @Test("among a million, a search looks at 20", arguments: [0, 1, 500_000, 999_999, 1_000_000])
  func steps(place: Int) {
    var steps = 0
    let found = Array(0..<1_000_000).partitionPoint { element in
      steps += 1
      return element < place
    }
    #expect(found == place && steps <= 20)
  }
}
