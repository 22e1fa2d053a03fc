import TestSupport
import Testing

@testable import MetaTag

@Suite("Search in a track")
struct TrackSearchTests {
  @Test("The search finds the same as looking at every fix.")
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
        switch Result(catching: { () throws(MatchFailure) in try track.match(instant, rules: rules).fixes }) {
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

  @Test(
    "A good guess takes two steps, and a bad one among a million at most 40.",
    arguments: [0, 1, 5, 500_000, 999_999, 1_000_000])
  func steps(place: Int) {
    for guess in [place - 1, place, place + 3, 0, 999_999, 123_456, -7, 2_000_000] {
      var steps = 0
      let found = (0..<1_000_000).partitionPoint(near: guess) { element in
        steps += 1
        return element < place
      }
      #expect(found == place)
      #expect(steps <= (abs(guess - place) <= 1 && guess < 1_000_000 ? 2 : 40), "\(guess): \(steps)")
    }
    #expect((5..<5).partitionPoint(near: 3) { _ in true } == 5)
  }

  @Test("The last fix that isn't later is found, however unevenly fixes are recorded.")
  func uneven() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<30 {
      var time: Int64 = 0
      let points = (0..<Int.random(in: 1...1_000, using: &generator)).compactMap { _ in
        let power = Int.random(in: 0...12, using: &generator)
        time += .random(in: 1...(1 << power), using: &generator)
        return Coordinate(latitude: 1, longitude: 7).map { TrackPoint(Instant(seconds: time), $0) }
      }
      let segment = try #require(Track.Segment(points))
      for second in stride(from: -5, to: time + 5, by: Int(max(1, time / 3_000))) {
        let expected = points.count { $0.microseconds <= second * 1_000_000 }
        #expect(segment.countNotLater(than: second * 1_000_000) == expected)
      }
    }
  }
}
