import MetaTag

/// A camera of a trip, with its clock error.
package struct TripCamera: Sendable {
  /// The time that its clock shows.
  package enum Clock: Sendable {
    /// Local time, as phones show it.
    case local
    /// A number of seconds more than UTC, everywhere.
    case fixed(Int)
    /// A number of seconds more than UTC, and another one after some days.
    case reset(Int, days: Double, Int)
  }

  /// The model, and in lower case the beginning of file names.
  package let model: String
  /// How often it is used, relative to the others.
  package var share = 1.0
  /// The time that its clock shows when it is right.
  package var clock = Clock.local
  /// The seconds by which the clock is fast when the trip begins.
  package var error = 0.0
  /// The seconds that it gains each day.
  package var gain = 0.0
  /// The share of photos that record their offset.
  package var offsets = 0.0
  /// The share of photos that record their location.
  package var places = 0.0
  /// The number of digits in the fraction of a second.
  package var digits = 0

  /// Creates a camera that is right, shows local time, and records neither offset nor location.
  package init(_ model: String) { self.model = model }

  func name(of number: Int) -> String {
    let digits = String(number)
    return "\(model)_" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".JPG"
  }

  static func chosen(among cameras: [TripCamera], _ random: inout SeededGenerator) -> Int {
    var left = Double.random(in: 0..<cameras.reduce(0) { $0 + $1.share }, using: &random)
    for (index, camera) in cameras.enumerated() {
      left -= camera.share
      if left < 0 { return index }
    }
    return cameras.count - 1
  }

  /// Returns the metadata of a photo taken at `instant`.
  func record(
    at instant: Instant, start: Instant, _ place: Coordinate, localOffset: UTCOffset, _ random: inout SeededGenerator
  ) -> Metadata {
    let wrong = error + gain * instant.timeInterval(since: start) / 86_400
    let shift =
      switch clock {
      case .local: localOffset.seconds
      case .fixed(let seconds): seconds
      case .reset(let first, let days, let then):
        instant.timeInterval(since: start) < days * 86_400 ? first : then
      }
    let shown = instant.adding(seconds: wrong).adding(TimeShift(seconds: Int64(shift)))
    var metadata = Metadata()
    metadata.make = "Trip"
    metadata.model = model
    if let civil = CivilTime(secondsSince1970: shown.seconds) {
      let all = SecondFraction(nanoseconds: shown.nanoseconds, minimumDigits: 9).digits
      let time = CaptureTime(
        civil, fraction: SecondFraction(digits: all.prefix(digits)), offset: random.chance(offsets) ? localOffset : nil)
      metadata.captureTimes = [Sourced(time, .exif, tag: "DateTimeOriginal")]
    }
    if random.chance(places) {
      var location = Location(place.moved(east: 5 * random.normal(), north: 5 * random.normal()))
      location.timestamp = Instant(seconds: instant.seconds - Int64.random(in: 0...2, using: &random))
      metadata.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    }
    return metadata
  }
}
