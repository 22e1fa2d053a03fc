import Foundation

/// The countries of disputed areas: `worldview.tsv` next to the borders, a table that users may edit.
struct Worldview {
  /// The country of each time zone in the table.
  let countries: [String: CountryCode]

  /// Reads the table of disputed places.
  /// - Parameter text: Lines of a zone, a country's two letters and a note, separated by tabs; `#` begins a comment.
  init(_ text: String) throws(GeoIndexError) {
    var countries: [String: CountryCode] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && line.first != "#" {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 2, !fields[0].isEmpty, fields[1].utf8.count == 2,
        fields[1].utf8.allSatisfy({ (0x41...0x5A).contains($0) }), countries[String(fields[0])] == nil
      else { throw Self.unclear("line \(index + 1)") }
      countries[String(fields[0])] = CountryCode(fields[1])
    }
    self.countries = countries
  }

  /// Returns the countries of zones, in the order of their names, with the table's entries replacing those of the
  /// borders.
  func applied(to said: [CountryCode], of zones: [String]) throws(GeoIndexError) -> [CountryCode] {
    if let unknown = countries.keys.sorted().first(where: { !zones.contains($0) }) { throw Self.unclear(unknown) }
    return zip(said, zones).map { countries[$1] ?? $0 }
  }

  private static func unclear(_ what: String) -> GeoIndexError {
    GeoIndexError(
      .damagedGazetteer,
      "worldview.tsv next to the borders is invalid (\(what)): expected a time zone, a tab and a two-letter country code"
    )
  }
}

/// The two ISO 3166-1 letters of a country, in two bytes.
struct CountryCode: Sendable, Hashable {
  let value: UInt16

  static let none = CountryCode(value: 0)

  init(value: UInt16) { self.value = value }

  init(_ letters: some StringProtocol) {
    let bytes = Array(letters.utf8)
    value = bytes.count == 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 0
  }

  /// The letters; nil for `none`.
  var letters: String? {
    let (first, second) = (Int(value >> 8) - 0x41, Int(value & 0xFF) - 0x41)
    if (0..<26).contains(first), (0..<26).contains(second) { return Self.pairs[first * 26 + second] }
    return value == 0 ? nil : String(decoding: [UInt8(value >> 8), UInt8(value & 0xFF)], as: UTF8.self)
  }

  /// All pairs of letters. They are needed for every position, and are found faster than created.
  private static let pairs = (0..<676).map { (pair: UInt16) -> String in
    let letters: [UInt8] = [0x41 + UInt8(pair / 26), 0x41 + UInt8(pair % 26)]
    return String(decoding: letters, as: UTF8.self)
  }
}

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
