import Basics
import Foundation
import GRDB

extension Gazetteer {
  /// Returns the country, time zones, region, towns and sea at a position.
  ///
  /// The first query loads the borders (some 10 MB) and the index of towns; later ones take less than a microsecond.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored (190 is -170).
  /// - Throws: `.badCoordinate`; `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the borders can't be read.
  public func reverse(latitude: Double, longitude: Double) throws(GeoIndexError) -> PositionInfo {
    let point = try Coordinate(validating: latitude, longitude)
    let geography = try geography
    return PositionInfo(
      latitude: point.latitude, longitude: point.longitude, geography: geography, answer: geography.answer(point))
  }

  /// Returns the places at many positions, in their order. Neighbours are looked up together, which is several times as
  /// fast as single queries.
  /// - Parameter positions: Degrees as for `reverse(latitude:longitude:)`.
  /// - Throws: Like `reverse(latitude:longitude:)`; a single position that is not on Earth makes the whole call fail.
  public func reverse(
    _ positions: [(latitude: Double, longitude: Double)]
  ) throws(GeoIndexError) -> WhereaboutsList {
    return try WhereaboutsList(positions, in: geography)
  }

  /// Returns the time zones in use at a position, as IANA names; if there are several, the official one comes first;
  /// `Etc/GMT…` on the high seas.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  /// - Throws: `.badCoordinate`; `.missingGazetteer` or `.damagedGazetteer` if the borders can't be read.
  public func zones(latitude: Double, longitude: Double) throws(GeoIndexError) -> [String] {
    let point = try Coordinate(validating: latitude, longitude)
    let atlas = try self.atlas
    return atlas.zoneNames(atlas.zone(Lattice(point)))
  }
}
