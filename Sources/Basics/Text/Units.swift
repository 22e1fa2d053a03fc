/// Units of lengths and speeds, in metres and metres per second.
package enum Units {
  package static let foot = 0.3048
  package static let mile = 1_609.344
  package static let kilometrePerHour = 1 / 3.6
  package static let milePerHour = 0.44704
  package static let knot = 1_852.0 / 3_600

  /// Lengths by the names that tables of tracks and photos give them, in lower case.
  package static let lengths: [String: Double] = [
    "m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "ft": foot, "feet": foot, "foot": foot,
  ]

  /// Speeds by the names that tables give them, in lower case.
  package static let speeds: [String: Double] = [
    "m/s": 1, "mps": 1, "ms": 1, "km/h": kilometrePerHour, "kmh": kilometrePerHour, "kph": kilometrePerHour,
    "mph": milePerHour, "kn": knot, "kt": knot, "kts": knot, "knots": knot,
  ]

  /// Speeds by the letters of EXIF's GPSSpeedRef: km/h, miles/h, knots.
  package static let gpsSpeeds: [Character: Double] = ["K": kilometrePerHour, "M": milePerHour, "N": knot]
}
