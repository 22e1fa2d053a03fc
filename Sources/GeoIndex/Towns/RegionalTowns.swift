import Basics
import Foundation

extension PositionInfo {
  /// The region of the locality; nil if unknown.
  var regionOfLocality: Admin1? { geography.towns.admin1(of: answer.found.locality) }

  /// The position with towns of the region `admin1` only: an address with city and state must not place New York City
  /// in New Jersey.
  var inOneRegion: PositionInfo { admin1.map { inRegion($0.code) } ?? self }

  /// Returns the position with towns of one region only.
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
  /// Whether another region of the country is within a kilometre, or the locality's region differs from what the
  /// borders show.
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

  /// Returns the codes of the country's regions at a point: by borders; on water and without borders, the region of the
  /// nearest town.
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
  /// Returns the region of a town, if that has a name.
  func admin1(of town: UInt32) -> PositionInfo.Admin1? {
    guard town != Found.none else { return nil }
    let fields = regions[Int(sites[Int(town)].region)]
    return fields.count > 2 ? PositionInfo.Admin1(name: fields[2], code: fields[1]) : nil
  }
}

extension Geography {
  /// Returns the result of `Towns.nearest` for a subset of the towns that can be named here.
  fileprivate func towns(near point: Coordinate, of country: CountryCode, where isWanted: (UInt32) -> Bool)
    -> Towns.Found
  {
    let cell = Lattice(point)
    let candidates = towns.candidates(in: towns.grid.list(of: cell)).filter { isWanted(towns.grid.lists[$0]) }
    return towns.nearest(of: candidates, to: Sphere.vector(cell, in: sphere.part(around: cell)), country: country)
  }
}
