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
