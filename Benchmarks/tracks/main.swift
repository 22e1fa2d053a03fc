import Glibc
import MetaTag
import SystemPackage

// Reads a track and matches photos with it, without any I/O but the track's:
//   metatag-bench TRACK [PHOTOS]

/// What the process has used so far.
struct Usage {
  let wall = ContinuousClock.now
  let processor: Double
  let peakMegabytes: Int

  init() {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    processor = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(microseconds) / 1e6
    peakMegabytes = usage.ru_maxrss / 1_024
  }
}

/// Instants strewn over the track, the same each time (a linear congruence, Knuth's MMIX).
func instants(_ count: Int, from start: Instant, to end: Instant) -> [Instant] {
  let span = UInt64(max(1, (end.seconds - start.seconds) * 1_000))
  var state: UInt64 = 5
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let milliseconds = Int64((state >> 11) % span)
    return Instant(
      seconds: start.seconds + milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000) * 1_000_000)
  }
}

/// The best of some rounds, in photos a second; every location is worked out.
func photosPerSecond(_ photos: [Instant], on track: Track) -> (rate: Int, placed: Int) {
  var (best, placed) = (Double.infinity, 0)
  for _ in 0..<5 {
    var sum = 0.0
    let start = Usage()
    placed = 0
    for photo in photos {
      guard let match = try? track.match(photo) else { continue }
      placed += 1
      sum += match.location.coordinate.latitude
    }
    best = min(best, Usage().processor - start.processor)
    precondition(sum.isFinite)
  }
  return (Int(Double(photos.count) / best), placed)
}

guard CommandLine.argc > 1 else {
  print("usage: metatag-bench TRACK [PHOTOS]")
  exit(64)
}
let count = CommandLine.argc > 2 ? Int(CommandLine.arguments[2]) ?? 100_000 : 100_000
let start = Usage()
let track = try Track.read(FilePath(CommandLine.arguments[1]))
let read = Usage()
print(
  "read \(track.count) points: \(start.wall.duration(to: read.wall)), processor \(read.processor - start.processor) s, "
    + "at most \(read.peakMegabytes) MB")
guard let first = track.start, let last = track.end else { exit(1) }
let photos = instants(count, from: first, to: last)
for (order, photos) in [("in order of time", photos.sorted()), ("in any order", photos)] {
  let (rate, placed) = photosPerSecond(photos, on: track)
  print("match \(count) photos \(order): \(rate) photos/s of processor time, \(placed) placed")
}
