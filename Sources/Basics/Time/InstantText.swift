extension Instant {
  /// The instant in ISO 8601 in UTC, with as many digits of the second as necessary; nil outside the years 0…9999.
  public var inUTC: String? {
    CivilTime(secondsSince1970: seconds).map { civil in
      let fraction = nanoseconds == 0 ? nil : SecondFraction(nanoseconds: nanoseconds)
      return CaptureTime(civil, fraction: fraction, offset: .utc).description
    }
  }
}
