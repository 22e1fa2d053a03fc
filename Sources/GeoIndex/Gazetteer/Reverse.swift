import Foundation
import GRDB

extension Gazetteer {
  /// What is known of a position: country, zones, region, towns, sea.
  ///
  /// The first question reads the borders (some 10 MB) and the towns' index; a later one takes less than a microsecond.
  /// - Parameters:
  ///   - latitude: degrees north, WGS 84, -90...90.
  ///   - longitude: degrees east; whole turns don't matter (190 is -170).
  /// - Throws: `.badCoordinate`; `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the borders can't be read.
  public func reverse(latitude: Double, longitude: Double) throws(GeoIndexError) -> PositionInfo {
    let point = try Point(validating: latitude, longitude)
    let geography = try geography
    return PositionInfo(
      latitude: point.latitude, longitude: point.longitude, geography: geography, answer: geography.answer(point))
  }

  /// What is known of many positions, in their order. Neighbours are looked up together, which is several times as fast
  /// as one after the other.
  /// - Parameter positions: degrees as for `reverse(latitude:longitude:)`.
  /// - Throws: like `reverse(latitude:longitude:)`; one position that is not on Earth refuses all.
  public func reverse(
    _ positions: [(latitude: Double, longitude: Double)]
  ) throws(GeoIndexError) -> WhereaboutsList {
    return try WhereaboutsList(positions, in: geography)
  }

  /// The time zones whose civil time is kept at a position, as IANA names; the official one first where there are
  /// several, `Etc/GMT…` on the high seas.
  /// - Parameters:
  ///   - latitude: degrees north, WGS 84, -90...90.
  ///   - longitude: degrees east; whole turns don't matter.
  /// - Throws: `.badCoordinate`; `.missingGazetteer` or `.damagedGazetteer` if the borders can't be read.
  public func zones(latitude: Double, longitude: Double) throws(GeoIndexError) -> [String] {
    let point = try Point(validating: latitude, longitude)
    let atlas = try self.atlas
    return atlas.zoneNames(atlas.zone(Lattice(point)))
  }
}

extension Point {
  /// Takes whole turns off the longitude; the 180° meridian is 180, from whichever side.
  init(validating latitude: Double, _ longitude: Double) throws(GeoIndexError) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90 else {
      throw GeoIndexError(.badCoordinate, "not a point on Earth: latitudes go from -90 to 90")
    }
    self.init(turning: (latitude, longitude))
  }

  /// - Parameter position: one that is known to be on Earth.
  init(turning position: (latitude: Double, longitude: Double)) {
    let longitude = position.longitude
    // Most are in range, and the remainder takes as long as the rest of a look-up.
    let turned = abs(longitude) < 180 ? longitude : longitude.remainder(dividingBy: 360)
    self.init(latitude: position.latitude, longitude: turned == -180 ? 180 : turned)
  }
}
