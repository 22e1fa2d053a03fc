import Glibc

/// The class of a place, as stored in the gazetteer's file and the index. Scripts/gazetteer/build has the same list.
enum PlaceClass: Hashable, Sendable {
  case city
  /// The seat of a country's government.
  case capital
  /// The seat of a first-level region.
  case seat
  /// A part of a city.
  case quarter
  /// An island or station that is well known, although few people live there.
  case locality
  /// A place with few or unknown inhabitants: found by its name and by `near`, but never used as a photo's town.
  case village
  /// An airport with an IATA code.
  case airport
  /// An airport without an IATA code.
  case airfield
  case region
  case country
  /// Anything else.
  case feature(Place.Kind)

  private static let others: [PlaceClass] = [
    .city, .capital, .seat, .quarter, .locality, .village, .airport, .airfield, .region, .country,
  ]

  /// The kinds of features, in the order of their numbers.
  private static let features: [Place.Kind] = [
    .peak, .range, .volcano, .lake, .river, .waterfall, .island, .beach, .bay, .cape, .desert, .park, .cave, .landmark,
    .museum, .castle, .palace, .church, .temple, .mosque, .synagogue, .monument, .ruin, .bridge, .tower, .theatre,
    .stadium, .themePark, .zoo, .garden, .square, .street, .university, .library, .station, .metro, .ferry, .pass,
    .quarter, .region, .admin2, .postcode, .hotel, .restaurant, .cafe, .hut, .own,
  ]

  /// The number of the first feature.
  private static let first = 16

  /// All classes by their numbers.
  private static let byNumber: [PlaceClass?] =
    others + [PlaceClass?](repeating: nil, count: first - others.count) + features.map { .feature($0) }

  private static let numbers: [PlaceClass: UInt8] = Dictionary(
    uniqueKeysWithValues: byNumber.enumerated().compactMap { number, each in each.map { ($0, UInt8(number)) } })

  /// The number in the file and the index.
  var rawValue: UInt8 {
    switch self {
    case .city: 0
    case .capital: 1
    case .seat: 2
    case .quarter: 3
    case .locality: 4
    case .village: 5
    case .airport: 6
    case .airfield: 7
    case .region: 8
    case .country: 9
    case .feature: Self.numbers[self] ?? .max
    }
  }

  init?(rawValue: UInt8) {
    guard Int(rawValue) < Self.byNumber.count, let found = Self.byNumber[Int(rawValue)] else { return nil }
    self = found
  }

  /// One more than the greatest number.
  static var count: Int { byNumber.count }

  var kind: Place.Kind {
    switch self {
    case .city, .seat, .quarter, .village: .city
    case .capital: .capital
    case .locality: .locality
    case .airport, .airfield: .airport
    case .region: .admin1
    case .country: .country
    case .feature(let kind): kind
    }
  }

  /// The class of the features of a kind; nil for settlements, airports and regions, which have several.
  init?(of kind: Place.Kind) {
    guard Self.features.contains(kind) else { return nil }
    self = .feature(kind)
  }

  /// Whether people live there, in one place: a candidate for "the nearest town".
  var isTown: Bool { rawValue <= Self.quarter.rawValue }

  /// Whether people say in which town it is: a museum, an airport, a quarter.
  var isLocal: Bool {
    switch self {
    case .airport, .airfield, .quarter, .feature: true
    default: false
    }
  }

  /// Whether it is a country or a first-level region.
  var isRegion: Bool { self == .region || self == .country }
}
