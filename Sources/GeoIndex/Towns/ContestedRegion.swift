import Foundation

/// Decides which region a position near a border belongs to: the borders are up to 2 km off, and are not drawn on
/// water.
///
/// 1. If no other region is drawn within 2 km, and the locality is in no other: `PositionInfo.admin1`.
/// 2. If a region is drawn, and the town that fits best in proportion to its size (`CityRule`) lies in it and has the
///    position within its edge: that region. Otherwise, if towns of several regions reach the position (up to one and a
///    half times the distance to their edges): the drawn region if the best town is in it, else none. If towns of one
///    region do: `PositionInfo.admin1`.
/// 3. If no region is drawn: `PositionInfo.admin1`, if a town of it fits five times as well as those of others; else
///    none.
extension PositionInfo {
  /// Returns the position with towns of its region only; nil if it can't be decided which of several regions it is in.
  func inOneSureRegion(_ rule: CityRule, isQuarter: (Int) -> Bool) -> PositionInfo? {
    var regions = drawnRegionsAround
    if let drawnRegion { regions.insert(drawnRegion) }
    if let near = regionOfLocality { regions.insert(near.code) }
    guard regions.count > 1 else { return inOneRegion }
    let shares = rule.shares(of: regions, at: self, isQuarter: isQuarter)
    let best = shares.min { $0.value < $1.value }
    guard let drawnRegion else {
      guard let best, best.key == admin1?.code, shares.values.count(where: { $0 < best.value * 5 }) == 1 else {
        return nil
      }
      return inOneRegion
    }
    let areSeveral = shares.values.count { $0 <= 1.5 } > 1
    if let best, best.key == drawnRegion, best.value <= 1 || areSeveral { return inRegion(drawnRegion) }
    return areSeveral ? nil : inOneRegion
  }

  private var drawnRegion: String? {
    guard answer.spot.region != AreaSet.none else { return nil }
    let fields = geography.atlas.regions.areas[Int(answer.spot.region)]
    return fields.count > 2 ? fields[1] : nil
  }

  /// The codes of the country's regions that are drawn within 2 km.
  private var drawnRegionsAround: Set<String> {
    let (here, layer) = (Lattice(point), geography.atlas.regions)
    let width = 1 / max(0.01, cos(latitude * .pi / 180))
    var codes: Set<String> = []
    // Steps of 1.1 m.
    for far in [600.0, 1_200, 1_800] {
      for (x, y) in [(1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)] {
        for number in layer.areas(at: here.moved(Int(x * far * width), Int(y * far))).all {
          let area = layer.areas[number]
          if area.count > 2, CountryCode(area[0]) == answer.spot.country { codes.insert(area[1]) }
        }
      }
    }
    return codes
  }
}
