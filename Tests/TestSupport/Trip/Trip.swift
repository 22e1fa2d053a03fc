package import MetaTag

/// A made-up journey from a seed: a receiver's track, the photos of cameras, and the truth about them.
///
/// Its assumptions about real trips:
/// - People mostly stand still when they take photos: three of four are taken at halts of 20 seconds to 4 minutes, the
///   others while strolling and a few from a moving car. A subject gets one to four photos within seconds.
/// - The receiver is on by day, has a fix every five seconds, and errs by some metres, sometimes by fifty. It loses its
///   signal in tunnels and in houses, and once a trip its battery is empty for more than an hour.
/// - Each camera numbers its photos consecutively, whatever its clock shows.
/// - A phone's clock is right, it records the location of most of its photos, and loses the offset from UTC of some. The
///   other cameras record no location at all: only the times of their photos say something about their clocks.
package struct Trip: Sendable {
  /// A photo, with the truth about it.
  package struct Photo: Sendable {
    /// The name that the camera gave it.
    package let name: String
    /// The recorded metadata.
    package let metadata: Metadata
    /// The instant at which it was taken.
    package let instant: Instant
    /// The location where it was taken.
    package let coordinate: Coordinate
    /// Whether the receiver was on. Otherwise no clock can place the photo.
    package let isTracked: Bool
  }

  /// The receiver's track, a segment for each time it was switched on.
  package let segments: [[TrackPoint]]
  /// The photos in the order in which they were taken.
  package let photos: [Photo]
  /// The zones of the trip, from the planned stays.
  private let stays: [Stay]

  /// A day or a night at one place.
  package struct Stay: Sendable {
    let center: Coordinate
    let zone: Zone
    let start: Instant
    let hours: Double
    /// The distance in kilometres from the center at which drives turn back.
    let radius: Double

    /// Creates a stay of some hours within a radius in kilometres.
    /// - Parameter start: An instant in ISO 8601.
    package init(
      _ latitude: Double, _ longitude: Double, _ zone: String, from start: String, hours: Double, radius: Double = 12
    ) throws {
      guard let center = Coordinate(latitude: latitude, longitude: longitude),
        let start = try CaptureTime(parsing: start).instant
      else { throw ParseError("not a stay") }
      (self.center, self.zone, self.start) = (center, try Zone(parsing: zone), start)
      (self.hours, self.radius) = (hours, radius)
    }
  }

  /// Creates the trip of `seed`: `stays`, with `cameras` taking turns.
  package init(seed: UInt64, stays: [Stay], cameras: [TripCamera]) {
    var random = SeededGenerator(seed: seed)
    var segments: [[TrackPoint]] = []
    var photos: [Photo] = []
    var numbers = [Int](repeating: 0, count: cameras.count)
    let deadDay = Int.random(in: 0..<max(1, stays.count), using: &random)
    for (day, stay) in stays.enumerated() {
      let path = TripPath(stay, isBatteryWeak: day == deadDay && stays.count > 1, &random)
      segments += path.fixes(&random)
      // Every camera numbers its photos in the order of time.
      var shots: [(second: Double, camera: Int)] = []
      for moment in path.moments {
        let camera = TripCamera.chosen(among: cameras, &random)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let second = min(Double(path.places.count - 1), moment + Double.random(in: 0...9, using: &random))
          shots.append((second, camera))
        }
      }
      for shot in shots.sorted(by: { $0.second < $1.second }) {
        let (camera, instant) = (cameras[shot.camera], stay.start.adding(seconds: shot.second))
        let place = path.coordinate(at: shot.second)
        numbers[shot.camera] += 1
        let record = camera.record(
          at: instant, start: stays[0].start, place, localOffset: stay.zone.offset(at: instant), &random)
        photos.append(
          Photo(
            name: camera.name(of: numbers[shot.camera]), metadata: record, instant: instant, coordinate: place,
            isTracked: path.isTracked(shot.second)))
      }
    }
    self.segments = segments
    self.photos = photos
    self.stays = stays
  }

  /// The zone of the nearest stay: a world without borders, for tests that have none.
  package func zone(at place: Coordinate) -> Zone? {
    stays.min { $0.center.distance(to: place) < $1.center.distance(to: place) }?.zone
  }
}

extension Instant {
  func adding(seconds: Double) -> Instant {
    let whole = seconds.rounded(.down)
    return adding(TimeShift(seconds: Int64(whole), nanoseconds: Int32((seconds - whole) * 1e9)))
  }
}

extension SeededGenerator {
  /// A number with the standard normal distribution (the sum of twelve uniform ones, which has no far tails).
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &self) } }
  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}
