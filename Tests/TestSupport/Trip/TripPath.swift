import Glibc
import MetaTag

/// The way of a stay, second by second, and the receiver's record of it.
struct TripPath {
  /// Metres east and north of the center, one each second.
  private(set) var places: [SIMD2<Double>] = []
  /// Seconds at which something was worth a photo.
  private(set) var moments: [Double] = []
  private let stay: Trip.Stay
  /// Seconds without signal: tunnels, houses.
  private var shadows: [Range<Int>] = []
  /// Seconds at which the receiver was off.
  private var off: Range<Int>?
  private var heading: Double
  private var place = SIMD2<Double>.zero

  init(_ stay: Trip.Stay, isBatteryWeak: Bool, _ random: inout SeededGenerator) {
    self.stay = stay
    heading = Double.random(in: 0..<(2 * .pi), using: &random)
    let length = Int(stay.hours * 3_600)
    if isBatteryWeak { off = length / 2..<length / 2 + 4_500 }
    while places.count < length {
      drive(seconds: Int.random(in: 480...1_800, using: &random), &random)
      if random.chance(0.12) { visitHouse(&random) } else { visit(&random) }
    }
    places.removeLast(places.count - length)
    moments.removeAll { $0 >= Double(length - 10) }
  }

  /// Adds photos at intervals from the time something comes into view.
  private mutating func see(_ count: Int, within seconds: Int, _ random: inout SeededGenerator) {
    let start = Double(places.count)
    for _ in 0..<count { moments.append(start + Double.random(in: 0..<Double(max(1, seconds - 8)), using: &random)) }
  }

  private mutating func drive(seconds: Int, _ random: inout SeededGenerator) {
    if random.chance(0.3) {
      let start = places.count + Int.random(in: 60..<seconds / 2, using: &random)
      shadows.append(start..<start + Int.random(in: 20...90, using: &random))
    }
    if random.chance(0.08) { see(1, within: seconds, &random) }
    let cruise = Double.random(in: 8...20, using: &random)
    for second in 0..<seconds {
      // Pulls away, brakes at the end, slows in bends.
      let ends = min(1, Double(min(second, seconds - second)) / 20)
      let isInside = shadows.last?.contains(places.count) ?? false
      if !isInside { turn(by: 0.02 * random.normal()) }
      go(isInside ? cruise : cruise * ends * (0.9 + 0.1 * random.normal()))
    }
  }

  /// Half an hour of walking from sight to sight.
  private mutating func visit(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 4...12, using: &random) {
      let stroll = Int.random(in: 40...300, using: &random)
      if random.chance(0.2) { see(1, within: stroll, &random) }
      for _ in 0..<stroll {
        turn(by: 0.1 * random.normal())
        go(1.2 + 0.1 * random.normal())
      }
      let halt = Int.random(in: 20...240, using: &random)
      if random.chance(0.7) { see(Int.random(in: 1...2, using: &random), within: halt, &random) }
      for _ in 0..<halt { go(0) }
    }
  }

  /// A small museum: no signal and little movement.
  private mutating func visitHouse(_ random: inout SeededGenerator) {
    let seconds = Int.random(in: 300...1_200, using: &random)
    shadows.append(places.count..<places.count + seconds)
    see(Int.random(in: 0...2, using: &random), within: seconds, &random)
    let door = place
    for _ in 0..<seconds {
      place = door + SIMD2(6 * sin(Double(places.count) / 90), 6 * cos(Double(places.count) / 70))
      go(0)
    }
  }

  private mutating func turn(by angle: Double) {
    // A walk that went far turns back.
    let distance = (place * place).sum().squareRoot()
    guard distance > stay.radius * 1_000 else { return heading += angle }
    let home = atan2(-place.x, -place.y)
    heading += max(-0.05, min(0.05, atan2(sin(home - heading), cos(home - heading))))
  }

  private mutating func go(_ metres: Double) {
    place += SIMD2(sin(heading), cos(heading)) * max(0, metres)
    places.append(place)
  }

  /// Returns the position a number of seconds after the stay began.
  func coordinate(at second: Double) -> Coordinate {
    let index = min(max(0, Int(second)), places.count - 1)
    let next = places[min(index + 1, places.count - 1)]
    let place = places[index] + (next - places[index]) * (second - Double(index))
    return stay.center.moved(east: place.x, north: place.y)
  }

  func isTracked(_ second: Double) -> Bool { !(off?.contains(Int(second)) ?? false) }

  /// The receiver's segments.
  func fixes(_ random: inout SeededGenerator) -> [[TrackPoint]] {
    var segments: [[TrackPoint]] = [[]]
    var drift = SIMD2<Double>.zero
    for second in stride(from: 0, to: places.count, by: 5) {
      drift = drift * 0.98 + SIMD2(random.normal(), random.normal()) * 0.6
      guard isTracked(Double(second)) else {
        if segments.last?.isEmpty == false { segments.append([]) }
        continue
      }
      guard !shadows.contains(where: { $0.contains(second) }) else { continue }
      let wild = random.chance(0.0005) ? 15.0 : 1.5
      let error = drift + SIMD2(random.normal(), random.normal()) * wild
      let place = places[second] + error
      segments[segments.count - 1].append(
        TrackPoint(
          stay.start.adding(seconds: Double(second)), stay.center.moved(east: place.x, north: place.y)))
    }
    return segments.filter { !$0.isEmpty }
  }
}

extension Coordinate {
  /// A place this many metres away, for distances that are short against the Earth.
  func moved(east: Double, north: Double) -> Coordinate {
    let degree = 111_195.0
    let longitude = longitude + east / (degree * cos(latitude * .pi / 180))
    let wrapped = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    return Coordinate(latitude: latitude + north / degree, longitude: wrapped) ?? self
  }
}
