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

/// The location information of 3GPP (TS 26.244, 8.10), box `loci`: version and flags, language, a name, a role, then
/// longitude, latitude and altitude as signed 16.16 fixed-point numbers.
struct Loci: Sendable {
  private let payload: [UInt8]
  /// The range of the three numbers.
  private let numbers: Range<Int>

  /// Reads the payload of the box; nil when it is shorter than its fields.
  init?(_ payload: Bytes) {
    // UTF-16 begins with a byte order mark, UTF-8 doesn't.
    let isWide = payload.has([0xFE, 0xFF], at: 6)
    let width = isWide ? 2 : 1
    var at = 6
    while !payload.has([UInt8](repeating: 0, count: width), at: at) {
      guard at < payload.count else { return nil }
      at += width
    }
    let start = at + width + 1
    guard start <= payload.count - 12 else { return nil }
    self.payload = payload.array
    numbers = start..<start + 12
  }

  /// The position. Writers without a position leave zeros; an altitude of 0 means unknown.
  var location: Location? {
    let fields = Bytes(Array(payload[numbers]))
    guard let east = try? fields.u32(0, .big), let north = try? fields.u32(4, .big),
      let height = try? fields.u32(8, .big), (east, north, height) != (0, 0, 0)
    else { return nil }
    func number(_ field: UInt32) -> Double { Double(Int32(bitPattern: field)) / 65_536 }
    guard let coordinate = Coordinate(latitude: number(north), longitude: number(east)) else { return nil }
    return Location(coordinate, altitude: height == 0 ? nil : number(height))
  }

  /// Returns the payload with another position, at the same length.
  func bytes(at location: Location) -> [UInt8] {
    func field(_ number: Double) -> [UInt8] {
      UInt32(bitPattern: Int32((min(max(number, -32_768), 32_767) * 65_536).rounded())).bytes(.big)
    }
    var bytes = payload
    bytes.replaceSubrange(
      numbers,
      with: field(location.coordinate.longitude) + field(location.coordinate.latitude)
        + field(location.altitude ?? 0))
    return bytes
  }
}
