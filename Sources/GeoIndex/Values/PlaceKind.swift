/// The kinds of places, and their groups.
extension Place {
  /// The kinds of places. Their raw values are the words of `--kind` and JSON.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    // Settlements and regions.

    /// The seat of a country's government (GeoNames feature code PPLC).
    case capital
    /// Any other city, town or village, or a quarter of one.
    case city
    /// An island or station that is well known, although few people live there.
    case locality
    /// An airport or airfield.
    case airport
    /// A first-level region: state, province, prefecture.
    case admin1
    /// A country, or a territory with an ISO 3166-1 code.
    case country
    /// One of the user's own places, of no other kind.
    case own
    /// A position that was typed, not a place of the gazetteer.
    case coordinate
    /// A second-level region: county, département, province of Italy or Spain, Kreis.
    case admin2
    /// A landscape or historic region without an administration (Patagonia, Provence), or a valley.
    case region
    /// A postal code.
    case postcode
    /// A well-known quarter or district of a city.
    case quarter

    // Nature.

    /// A mountain or its summit.
    case peak
    /// A mountain range, or a group of mountains.
    case range
    /// A volcano, active or not.
    case volcano
    /// A lake, lagoon or reservoir; a sea without an outlet.
    case lake
    /// A river or canal.
    case river
    /// A waterfall, or a group of them.
    case waterfall
    /// An island or a group of islands.
    case island
    /// A beach.
    case beach
    /// A bay, gulf, sound, fjord or strait.
    case bay
    /// A cape, headland or peninsula.
    case cape
    /// A desert.
    case desert
    /// A national park, nature reserve or other protected area; a valley or forest known for its nature; a city park.
    case park
    /// A cave.
    case cave

    // Sights.

    /// A sight of no other kind.
    case landmark
    /// A museum or gallery.
    case museum
    /// A castle, fort or fortress.
    case castle
    /// A palace or stately home.
    case palace
    /// A church, cathedral, abbey or monastery.
    case church
    /// A temple, shrine, pagoda or stupa.
    case temple
    /// A mosque.
    case mosque
    /// A synagogue.
    case synagogue
    /// A monument, memorial, statue or tomb.
    case monument
    /// A ruin or an archaeological site.
    case ruin
    /// A bridge, viaduct or aqueduct.
    case bridge
    /// A tower, skyscraper, lighthouse or gate.
    case tower
    /// A theatre, opera house or concert hall.
    case theatre
    /// A stadium, arena or racecourse.
    case stadium
    /// A theme park or amusement park.
    case themePark = "theme-park"
    /// A zoo or aquarium.
    case zoo
    /// A garden or botanical garden.
    case garden
    /// A square.
    case square
    /// A street, promenade or market.
    case street
    /// A university or college.
    case university
    /// A library or archive.
    case library

    // Transport.

    /// A railway or bus station.
    case station
    /// A station of an underground railway or tram.
    case metro
    /// A ferry terminal or port.
    case ferry
    /// A mountain pass.
    case pass

    // Services.

    /// A hotel or other lodging.
    case hotel
    /// A restaurant, bar or pub.
    case restaurant
    /// A café.
    case cafe
    /// A mountain hut.
    case hut

    /// The group of the kind.
    public var group: Group {
      switch self {
      case .capital, .city, .locality, .quarter: .settlement
      case .admin1, .admin2, .country, .region, .postcode: .region
      case .peak, .range, .volcano, .lake, .river, .waterfall, .island, .beach, .bay, .cape, .desert, .park, .cave:
        .nature
      case .landmark, .museum, .castle, .palace, .church, .temple, .mosque, .synagogue, .monument, .ruin, .bridge,
        .tower, .theatre, .stadium, .themePark, .zoo, .garden, .square, .street, .university, .library:
        .sight
      case .airport, .station, .metro, .ferry, .pass: .transport
      case .hotel, .restaurant, .cafe, .hut: .service
      case .own, .coordinate: .other
      }
    }

    /// Whether places of the kind usually cover an area that a photo can be taken in.
    var isArea: Bool {
      switch self {
      case .admin1, .admin2, .country, .region, .postcode, .range, .lake, .island, .desert, .park, .bay, .river: true
      default: false
      }
    }
  }

  /// Groups of kinds.
  @nonexhaustive
  public enum Group: String, Sendable, Hashable, CaseIterable {
    /// Cities, towns, villages and quarters.
    case settlement
    /// Countries and regions.
    case region
    /// Mountains, waters and other nature.
    case nature
    /// Sights that people visit.
    case sight
    /// Airports, stations, ports and passes.
    case transport
    /// Places to eat and sleep.
    case service
    /// The user's own places and typed positions.
    case other

    /// The kinds of the group.
    public var kinds: Set<Kind> { Set(Kind.allCases.filter { $0.group == self }) }
  }
}
