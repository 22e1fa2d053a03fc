import Foundation

extension PositionInfo {
  /// The region of the town one would name; nil if it isn't known.
  var regionOfLocality: Admin1? { geography.towns.admin1(of: answer.found.locality) }

  /// The same, but towns of other regions than `admin1` don't count: who writes a city and a state beside each other
  /// doesn't put New York City into New Jersey.
  var inOneRegion: PositionInfo { admin1.map { inRegion($0.code) } ?? self }

  /// The position, with towns of a region only.
  func inRegion(_ code: String) -> PositionInfo {
    let (towns, found) = (geography.towns, answer.found)
    func isElsewhere(_ town: UInt32) -> Bool { towns.admin1(of: town).map { $0.code != code } ?? false }
    guard isElsewhere(found.locality) || isElsewhere(found.city) else { return self }
    var answer = answer
    answer.found = geography.towns(near: point, of: answer.spot.country) { !isElsewhere($0) }
    return PositionInfo(latitude: latitude, longitude: longitude, geography: geography, answer: answer)
  }
}

extension PositionInfo {
  /// Whether the country's region is another one a kilometre away, or that of the town is another than what borders
  /// say.
  var isNearOtherRegion: Bool {
    guard let code = admin1?.code else { return false }
    if let near = regionOfLocality, near.code != code { return true }
    let here = Lattice(point)
    let (north, east) = (900, 900 / max(0.01, cos(latitude * .pi / 180)))
    return [(1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)].contains { x, y in
      let codes = regions(at: here.moved(Int(x * east), Int(y * Double(north))))
      return !codes.isEmpty && !codes.contains(code)
    }
  }

  /// The codes of the country's regions at a point: by borders; on water and where there are none, of the town one
  /// would name.
  private func regions(at point: Lattice) -> [String] {
    let drawn = geography.atlas.regions.areas(at: point).all.map { geography.atlas.regions.areas[$0] }
      .filter { $0.count > 2 && CountryCode($0[0]) == answer.spot.country }
    guard drawn.isEmpty else { return drawn.map { $0[1] } }
    let towns = geography.towns
    let found = towns.nearest(
      of: towns.candidates(in: towns.grid.list(of: point)),
      to: Sphere.vector(point, in: geography.sphere.part(around: point)), country: answer.spot.country)
    return towns.admin1(of: found.locality).map { [$0.code] } ?? []
  }
}

extension Towns {
  /// The region of a town, if that has a name.
  func admin1(of town: UInt32) -> PositionInfo.Admin1? {
    guard town != Found.none else { return nil }
    let fields = regions[Int(sites[Int(town)].region)]
    return fields.count > 2 ? PositionInfo.Admin1(name: fields[2], code: fields[1]) : nil
  }
}

extension Geography {
  /// What `Towns.nearest` finds among some of the towns that may be named here.
  fileprivate func towns(near point: Point, of country: CountryCode, where isWanted: (UInt32) -> Bool) -> Towns.Found {
    let cell = Lattice(point)
    let candidates = towns.candidates(in: towns.grid.list(of: cell)).filter { isWanted(towns.grid.lists[$0]) }
    return towns.nearest(of: candidates, to: Sphere.vector(cell, in: sphere.part(around: cell)), country: country)
  }
}
