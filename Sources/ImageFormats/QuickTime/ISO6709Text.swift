/// A position as movies hold it (ISO 6709, annex H): `+35.71432+139.79631+007.4/`. The sign is always written, degrees
/// have two and three digits, and a solidus is at the end. Important readers ignore values with more than five decimals
/// (1.1 m).
enum ISO6709Text {
  /// Returns the text for `location`, with `count` bytes if decimals without significant loss give that length: five
  /// decimals of a degree (fewer when they are zeros), and an altitude to a decimetre or better.
  static func text(_ location: Location, fitting count: Int? = nil) -> String {
    let best = text(location, decimals: 5, altitudeDecimals: 3)
    guard let count, best.utf8.count != count else { return best }
    for decimals in [5, 4, 3] where decimals == 5 || isExact(location.coordinate, decimals) {
      for altitudeDecimals in [3, 2, 1] {
        let text = text(location, decimals: decimals, altitudeDecimals: altitudeDecimals)
        if text.utf8.count == count { return text }
      }
    }
    return best
  }

  private static func text(_ location: Location, decimals: Int, altitudeDecimals: Int) -> String {
    let coordinate = location.coordinate
    return number(coordinate.latitude, digits: 2, decimals: decimals)
      + number(coordinate.longitude, digits: 3, decimals: decimals)
      + (location.altitude.map { number($0, digits: 3, decimals: altitudeDecimals) } ?? "") + "/"
  }

  /// Whether this number of decimals gives the position as well as five.
  private static func isExact(_ coordinate: Coordinate, _ decimals: Int) -> Bool {
    [coordinate.latitude, coordinate.longitude].allSatisfy {
      Double(number($0, digits: 0, decimals: decimals)) == Double(number($0, digits: 0, decimals: 5))
    }
  }

  /// Returns a number with its sign and leading zeros. −0.000004 becomes +0.00000: there is no negative zero.
  private static func number(_ value: Double, digits: Int, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    // No coordinate or altitude needs more; numbers that aren't finite never get here.
    let units = Int64((min(abs(value), 1e9) * scale).rounded())
    let divisor = Int64(scale)
    let sign = value < 0 && units != 0 ? "-" : "+"
    return sign + (units / divisor).padded(digits) + (decimals == 0 ? "" : "." + (units % divisor).padded(decimals))
  }
}
