/// The data of a point while it is read; formats have them in different orders.
struct PointDraft {
  /// The meaning of a time without a time zone.
  enum MissingZone {
    /// UTC, prescribed by the format; such times are counted.
    case isUTC
    /// UTC, since the file says so elsewhere.
    case isSaidUTC
    /// Unknown: the point can't be used.
    case isRejected
  }

  var latitude, longitude: Double?
  var altitude, speed, course, dilution, accuracy: Double?
  var instant: Instant?
  var rejection: TrackSource.Rejection?
  private var lacksZone = false

  init() {}

  /// The position, if there is one.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Takes an XML Schema time, as read by `PlainText.dateTime`.
  mutating func take(time bytes: [UInt8], _ range: Range<Int>, missingZone: MissingZone = .isRejected) {
    guard let (time, nanoseconds, offset) = PlainText.dateTime(bytes, range) else {
      rejection = .malformedTime
      return
    }
    if offset == nil, missingZone == .isRejected { rejection = .noZone }
    lacksZone = offset == nil && missingZone == .isUTC
    instant = Instant(seconds: time.secondsSince1970 - Int64(offset ?? 0), nanoseconds: nanoseconds)
  }

  /// Takes seconds, milliseconds or microseconds since 1970, distinguished by their size.
  mutating func take(epoch value: Double) {
    instant = Instant(epoch: value)
    if instant == nil { rejection = .malformedTime }
  }

  func finish(into builder: inout TrackBuilder) {
    guard let coordinate else {
      return builder.reject(rejection == .noFix ? .noFix : .noPosition)
    }
    guard let instant, rejection == nil else { return builder.reject(rejection ?? .noTime) }
    if lacksZone { builder.noteMissingZone() }
    builder.add(
      TrackPoint(
        instant, coordinate, altitude: altitude, speed: speed, course: course, dilutionOfPrecision: dilution,
        accuracy: accuracy))
  }
}

extension Instant {
  /// Converts a POSIX time in seconds, or in milliseconds or microseconds if the number is that large (from 1973 on);
  /// nil if it is in none of these ranges.
  init?(epoch value: Double) {
    guard let unit = [1, 1e3, 1e6].first(where: { (1e8..<1e11).contains(value / $0) }) else { return nil }
    let microseconds = Int64((value / unit * 1e6).rounded())
    self.init(seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
  }
}
