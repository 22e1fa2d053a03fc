/// What a file has said about a point so far, in whatever order its format says it.
struct PointDraft {
  /// What a time without zone means.
  enum MissingZone {
    /// The format prescribes UTC, which is counted.
    case isUTC
    /// The file says elsewhere that its times are in UTC.
    case isSaidUTC
    /// Nothing: the point can't be used.
    case isRejected
  }

  var latitude, longitude: Double?
  var altitude, speed, course, dilution, accuracy: Double?
  var instant: Instant?
  var rejection: TrackSource.Rejection?
  private var lacksZone = false

  init() {}

  /// Its position, where it has one.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A time of XML Schema, as `PlainText.dateTime` reads it.
  mutating func take(time bytes: [UInt8], _ range: Range<Int>, missingZone: MissingZone = .isRejected) {
    guard let (time, nanoseconds, offset) = PlainText.dateTime(bytes, range) else {
      rejection = .malformedTime
      return
    }
    if offset == nil, missingZone == .isRejected { rejection = .noZone }
    lacksZone = offset == nil && missingZone == .isUTC
    instant = Instant(seconds: time.secondsSince1970 - Int64(offset ?? 0), nanoseconds: nanoseconds)
  }

  /// Seconds since 1970, or thousandths or millionths of them, told by their size.
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
  /// A POSIX time in seconds, or in thousandths or millionths of a second where the number is so large (from 1973 on);
  /// nil when it is none of these.
  init?(epoch value: Double) {
    guard let unit = [1, 1e3, 1e6].first(where: { (1e8..<1e11).contains(value / $0) }) else { return nil }
    let microseconds = Int64((value / unit * 1e6).rounded())
    self.init(seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
  }
}
