/// Land whose country the borders of the time zones don't show: uninhabited dependencies, which use the time of a
/// distant zone, or that of the sea.
struct Islet {
  let country: CountryCode
  /// Ranges in steps of the lattice. They are whole sixteenths of a degree, because those are looked up at once.
  private let x, y: Range<Int>

  /// Creates an islet from bounds in degrees.
  private init(_ code: String, south: Double, _ north: Double, west: Double, _ east: Double) {
    country = CountryCode(code)
    (x, y) = (Self.steps(west + 180, east + 180), Self.steps(south + 90, north + 90))
  }

  private static func steps(_ from: Double, _ to: Double) -> Range<Int> { Int(from * 1e5)..<Int(to * 1e5) }

  func contains(_ point: Lattice) -> Bool { x.contains(point.x) && y.contains(point.y) }

  static let all = [
    // Jan Mayen; Johnston; Palmyra and Kingman; Jarvis; Howland and Baker; Bouvet; Heard and McDonald; Clipperton.
    Islet("SJ", south: 70.5, 71.5, west: -9.5, -7.5), Islet("UM", south: 16.5, 17, west: -169.75, -169.25),
    Islet("UM", south: 5.75, 6.5, west: -162.5, -162), Islet("UM", south: -0.5, -0.25, west: -160.125, -159.875),
    Islet("UM", south: 0, 1, west: -176.75, -176.25), Islet("BV", south: -54.5, -54.375, west: 3.25, 3.5),
    Islet("HM", south: -53.25, -52.875, west: 72.5, 73.875),
    Islet("FR", south: 10.25, 10.375, west: -109.3125, -109.125),
  ]
}
