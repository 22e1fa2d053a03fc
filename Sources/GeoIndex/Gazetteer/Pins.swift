import Basics
import Foundation
import GRDB

/// Pins: positions that the user saved under a name.
extension UserPlaces {
  /// Saves a position under a name, which then finds it as `@name`. A pin of the same name, regardless of case, is
  /// replaced. If another pin's name differs in more than case but would be found by the same text, the call fails and
  /// nothing changes.
  /// - Parameters:
  ///   - name: The name as it is displayed; a leading `@` is not part of it.
  ///   - latitude: Degrees north, WGS 84.
  ///   - longitude: Degrees east.
  ///   - altitude: Metres above sea level, if known.
  ///   - index: Determines the country and time zone; nil leaves them open.
  /// - Throws: `.badCoordinate`; `.badFile` if the name has no letter or digit, or is too similar to another pin's;
  ///   `.userPlaces`.
  @discardableResult
  public func pin(
    _ name: String, latitude: Double, longitude: Double, altitude: Double? = nil, in index: Gazetteer?
  ) throws(GeoIndexError) -> Place {
    let name = Self.bare(name)
    var names = UserPlaceName()
    let key = names.key(of: name)
    guard !key.isEmpty, name.utf8.count <= PlaceDraft.longest else {
      throw GeoIndexError(
        .badFile, "a pin's name must have a letter or digit and at most \(PlaceDraft.longest) bytes")
    }
    let point = try Coordinate(validating: latitude, longitude)
    var surroundings = Surroundings(index)
    let around = try surroundings.at(point, country: nil, region: nil, zone: nil)
    let id = UserPlaceID.number(source: Place.pins, identity: String(decoding: key, as: UTF8.self))
    let place = Place(
      id: id, name: name, matchedName: name, kind: .own, countryCode: around.code, country: around.country,
      admin1: around.region, latitude: point.latitude, longitude: point.longitude, population: 0, timeZone: around.zone,
      own: .init(source: Place.pins, category: nil, altitude: altitude, radius: PlaceDraft.radius))
    try write { db in
      let like = try Row.fetchOne(
        db, sql: "SELECT \(UserPlaceRow.columns()), '' FROM place WHERE id = ?", arguments: [id]
      )
      .map { Place(ownRow: $0) }
      if let like, Self.plain(like.name) != Self.plain(name) {
        throw GeoIndexError(
          .badFile,
          "'\(name)' differs from the pin @\(like.name) (\(like.latitude),\(like.longitude)) only in signs or accents",
          remedy: .chooseAnotherName)
      }
      try Self.remove(pin: id, from: db)
      var insertion = try PinInsertion(db)
      try insertion.insert(place)
    }
    return place
  }

  /// Returns the pins, by name.
  /// - Throws: `.userPlaces`.
  public func pins() throws(GeoIndexError) -> [Place] {
    try read { db in
      guard let source = try UserPlaceSource.number(of: Place.pins, in: db) else { return [] }
      return try Row.fetchAll(
        db, sql: "SELECT \(UserPlaceRow.columns()), ? FROM place WHERE source = ? ORDER BY name, id",
        arguments: [Place.pins, source]
      ).map { Place(ownRow: $0) }
    }
  }

  /// Returns the pin of a name; case, accents, spaces and a leading `@` are ignored.
  /// - Throws: `.userPlaces`.
  public func pin(named name: String) throws(GeoIndexError) -> Place? {
    let id = Self.id(ofPin: name)
    return try pins().first { $0.id == id }
  }

  /// Removes a pin.
  /// - Returns: False if there is no pin of that name.
  /// - Throws: `.userPlaces`.
  public func unpin(_ name: String) throws(GeoIndexError) -> Bool {
    try write { try Self.remove(pin: Self.id(ofPin: name), from: $0) }
  }

  @discardableResult
  private static func remove(pin id: Int64, from db: Database) throws -> Bool {
    guard let source = try UserPlaceSource.number(of: Place.pins, in: db) else { return false }
    try db.execute(sql: "DELETE FROM name WHERE source = ? AND place = ?", arguments: [source, id])
    try db.execute(sql: "DELETE FROM place WHERE source = ? AND id = ?", arguments: [source, id])
    return db.changesCount > 0
  }

  /// Returns the name without case and width differences.
  private static func plain(_ name: String) -> String { name.precomposedStringWithCompatibilityMapping.lowercased() }

  private static func id(ofPin name: String) -> Int64 {
    var names = UserPlaceName()
    return UserPlaceID.number(
      source: Place.pins, identity: String(decoding: names.key(of: bare(name)), as: UTF8.self))
  }

  private static func bare(_ name: String) -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    return name.hasPrefix("@") ? String(name.dropFirst()) : name
  }
}
