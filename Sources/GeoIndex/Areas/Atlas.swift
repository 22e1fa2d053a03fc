import Foundation

/// The maps of the world: time zones with their countries, regions, and seas.
struct Atlas: Sendable {
  let zones: AreaLayer
  let regions: AreaLayer
  let seas: AreaLayer
  /// The country of each zone.
  let zoneCountries: [CountryCode]
  /// For a zone whose area includes several countries, these countries, its own first; otherwise empty.
  private let sharers: [[CountryCode]]
  let regionCountries: [CountryCode]
  /// Whether an area has a name, or only identifies its country.
  let isRegion: [Bool]
  /// Whether a zone contains an `Islet`, land that isn't its country's.
  private let hasIslets: [Bool]

  /// Opens the layers of the borders.
  /// - Parameter folder: The folder of `zones.bin`, the other layers, and `worldview.tsv`.
  init(folder: URL) throws(GeoIndexError) {
    func layer(_ name: String) throws(GeoIndexError) -> AreaLayer {
      try AreaLayer(BorderReader.bytes(of: folder.appending(path: name)))
    }
    zones = try layer("zones.bin")
    regions = try layer("regions.bin")
    seas = try layer("seas.bin")
    let worldview = try Worldview(
      String(decoding: BorderReader.bytes(of: folder.appending(path: "worldview.tsv")), as: UTF8.self))
    zoneCountries = try worldview.applied(
      to: zones.areas.map { $0.count > 1 ? CountryCode($0[1]) : .none }, of: zones.areas.map { $0.first ?? "" })
    sharers = zip(zones.areas, zoneCountries).map { area, country in
      area.count > 2 ? [country] + area.dropFirst(2).map { CountryCode($0) } : []
    }
    let zonesOfIslets = ["Europe/Oslo", "Pacific/Honolulu"]
    hasIslets = zip(zones.areas, zoneCountries).map { $1 == .none || zonesOfIslets.contains($0[0]) }
    isRegion = regions.areas.map { $0.count > 2 }
    regionCountries = regions.areas.map { $0.first.map { CountryCode($0) } ?? .none }
  }

  /// The areas at a point.
  struct AreaInfo {
    var country = CountryCode.none
    /// The country's region if its border is known; otherwise `AreaSet.none`.
    var region = AreaSet.none
    /// The sea, only if there is no region; otherwise `AreaSet.none`.
    var sea = AreaSet.none
  }

  /// Prefetches what `fetchRecords(at:)` will read.
  func fetchCells(at point: Lattice) {
    zones.fetchCell(at: point)
    regions.fetchCell(at: point)
  }

  /// Prefetches what `zone` and `spot` will read.
  func fetchRecords(at point: Lattice) {
    zones.fetchRecord(at: point)
    regions.fetchRecord(at: point)
  }

  /// Returns the areas at a point.
  /// - Parameter zone: The result of `zone` for the point.
  func spot(_ point: Lattice, in zone: AreaSet) -> AreaInfo {
    spot(point, in: zone, regions: regions.areas(at: point))
  }

  fileprivate func spot(_ point: Lattice, in zone: AreaSet, regions: AreaSet) -> AreaInfo {
    var spot = AreaInfo()
    if let zone = zone.first { spot.country = country(zone: zone, regions: regions, point) }
    if mayBeIslet(zone), let islet = Islet.all.first(where: { $0.contains(point) }) { spot.country = islet.country }
    for number in 0..<4 where regions.numbers[number] != AreaSet.none && spot.country != .none {
      let region = Int(regions.numbers[number])
      if regionCountries[region] == spot.country, isRegion[region] {
        spot.region = regions.numbers[number]
        break
      }
    }
    if regions.first == nil { spot.sea = sea(point) }
    return spot
  }

  private func sea(_ point: Lattice) -> UInt16 {
    let sea = seas.areas(at: point).numbers[0]
    guard sea == AreaSet.none else { return sea }
    // The map of the seas ends a few steps before the 180° meridian.
    let (width, slit) = (Lattice.columns * Lattice.step, 20)
    guard point.x < slit || point.x >= width - slit else { return sea }
    return seas.areas(at: point.moved(point.x < slit ? slit : -slit, 0)).numbers[0]
  }

  /// Returns the zones at a point. Simplified borders leave gaps between zones; in a gap, the nearest zone counts.
  func zone(_ point: Lattice) -> AreaSet { nearest(zones.areas(at: point), point) }

  fileprivate func nearest(_ set: AreaSet, _ point: Lattice) -> AreaSet {
    guard set.first == nil else { return set }
    for steps in [50, 200] {
      for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
        let beside = zones.areas(at: point.moved(x * steps, y * steps))
        if beside.first != nil { return beside }
      }
    }
    return set
  }

  /// The data that the points of a sixteenth of a degree share.
  struct Cell {
    private var zones = AreaLayer.Part()
    private var regions = AreaLayer.Part()
    private var spot: AreaInfo?

    /// Moves the cell to the sixteenth that contains a point.
    /// - Parameter point: Any point of the sixteenth.
    mutating func move(to point: Lattice, in atlas: Atlas) {
      zones.move(to: point, in: atlas.zones)
      regions.move(to: point, in: atlas.regions)
      spot = nil
      guard zones.isWhole, regions.isWhole else { return }
      let (here, around) = (zones.areas(at: point, in: atlas.zones), regions.areas(at: point, in: atlas.regions))
      // Otherwise it depends on the point: on the zones next to a gap, or on the borders of the sea.
      if here.first != nil, around.first != nil { spot = atlas.spot(point, in: here, regions: around) }
    }

    /// Returns the same result as the atlas's `spot`.
    /// - Parameter point: A point of the sixteenth that was moved to.
    mutating func spot(_ point: Lattice, in atlas: Atlas) -> AreaInfo {
      if let spot { return spot }
      let zone = atlas.nearest(zones.areas(at: point, in: atlas.zones), point)
      return atlas.spot(point, in: zone, regions: regions.areas(at: point, in: atlas.regions))
    }
  }

  /// Whether a zone can contain islets: zones of the sea, and those of some countries far from the islets.
  private func mayBeIslet(_ zone: AreaSet) -> Bool { zone.first.map { hasIslets[$0] } ?? true }

  func zoneNames(_ zones: AreaSet) -> [String] { zones.all.compactMap { self.zones.areas[$0].first } }

  private func country(zone: Int, regions: AreaSet, _ point: Lattice) -> CountryCode {
    let country = zoneCountries[zone]
    // South of 60° no country's claim counts (Antarctic Treaty, Article IV), whatever time zone is used.
    if country != .none, point.y < 30 * 100_000 { return CountryCode("AQ") }
    guard !sharers[zone].isEmpty else { return country }
    for number in regions.numbers.indices where regions.numbers[number] != AreaSet.none {
      let owner = regionCountries[Int(regions.numbers[number])]
      if sharers[zone].contains(owner) { return owner }
    }
    // At sea, or where the map of the regions, which is less exact than that of the zones, shows another country's
    // land.
    let nearest = nearestCountry(point, of: sharers[zone])
    return nearest == .none ? country : nearest
  }
}

extension Atlas {
  /// Returns the country, among those that share a time zone, whose land is nearest; the zone has no other division.
  /// - Returns: `.none` if they have no land within two degrees.
  func nearestCountry(_ point: Lattice, of countries: [CountryCode]) -> CountryCode {
    for distance in Self.distances {
      let diagonal = distance * 7 / 10
      for (x, y) in [
        (distance, 0), (diagonal, diagonal), (0, distance), (-diagonal, diagonal), (-distance, 0),
        (-diagonal, -diagonal),
        (0, -distance), (diagonal, -diagonal),
      ] {
        guard let region = regions.areas(at: point.moved(x, y)).first else { continue }
        if countries.contains(regionCountries[region]) { return regionCountries[region] }
      }
    }
    return .none
  }

  /// Distances in hundred-thousandths of a degree.
  private static let distances =
    [500, 1_000, 2_000, 4_000] + Array(stride(from: 7_000, through: 70_000, by: 7_000))
    + Array(stride(from: 85_000, through: 200_000, by: 15_000))
}
