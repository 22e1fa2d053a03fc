/// The contents of a Google Takeout JSON file about a photo or an album.
package struct TakeoutRecord: Hashable, Sendable {
  /// The name of the photo, or of the album.
  package var title: String?
  /// The time at which the photo was taken (`photoTakenTime`, POSIX time), to the second.
  package var taken: Instant?
  /// The location: `geoData`, which the owner may have set, otherwise `geoDataExif`. 0, 0 means none.
  package var location: Location?
  /// The degrees as recorded, if they are out of range and there is no other location.
  package var impossiblePlace: String?
  /// The photo's address in Google Photos, the same in every folder of the export.
  package var address: String?
  /// The description that the owner wrote.
  package var description: String?
  /// The people in the photo, by the names that the owner gave them.
  package var people: [String] = []
  /// Whether the owner marked the photo as a favourite.
  package var isFavorite = false
  /// Whether the file is about a photo, not about an album or something else.
  package var isOfPhoto = false

  private static let longest = 4 << 20

  /// Reads a JSON file.
  /// - Throws: `FileError` when it can't be read, or isn't JSON.
  package init(_ source: any ByteSource) throws(FileError) {
    guard source.count <= TakeoutRecord.longest else {
      throw FileError(.tooLarge, "the JSON file is too large")
    }
    var json = JSONReader(try InputWindow(SourceStream(source)))
    let root = try json.value()
    title = root["title"]?.text.map { String(decoding: $0, as: UTF8.self) }
    address = root["url"]?.text.map { String(decoding: $0, as: UTF8.self) }
    description = root["description"]?.text.map { String(decoding: $0, as: UTF8.self).trimmed }
    if description?.isEmpty == true { description = nil }
    people = (root["people"]?.elements ?? []).compactMap {
      $0["name"]?.text.map { String(decoding: $0, as: UTF8.self) }
    }
    if case .bool(true)? = root["favorited"] { isFavorite = true }
    taken = root["photoTakenTime"]?["timestamp"]?.number.flatMap(TakeoutRecord.instant)
    let places = [root["geoData"], root["geoDataExif"]]
    location = places.lazy.compactMap(TakeoutRecord.location).first
    if location == nil { impossiblePlace = places.lazy.compactMap(TakeoutRecord.impossible).first }
    // Albums may have a location too, but their date has another key.
    let isOfAlbum = root["date"] != nil || root["access"] != nil
    isOfPhoto =
      root["photoTakenTime"] != nil || (root["geoData"] != nil || root["creationTime"] != nil) && !isOfAlbum
  }

  /// The greatest distance in metres between positions that count as the same place.
  static let samePlace = 100.0

  /// Whether both records may be about the same moment and place, as far as both have them. The times of a still and
  /// its movie are seconds apart, and one of their positions may have fewer digits.
  package func fits(_ other: TakeoutRecord) -> Bool {
    if let taken, let theirs = other.taken, abs(taken.seconds - theirs.seconds) > 5 { return false }
    if let place = location?.coordinate, let theirs = other.location?.coordinate,
      place.distance(to: theirs) > TakeoutRecord.samePlace
    {
      return false
    }
    return true
  }

  /// Converts seconds since 1970; zero means none.
  private static func instant(_ seconds: Double) -> Instant? {
    guard seconds != 0, let seconds = Int64(exactly: seconds), CivilTime(secondsSince1970: seconds) != nil else {
      return nil
    }
    return Instant(seconds: seconds)
  }

  private static func impossible(_ data: JSONValue?) -> String? {
    guard let latitude = data?["latitude"]?.number, let longitude = data?["longitude"]?.number,
      Coordinate(latitude: latitude, longitude: longitude) == nil
    else { return nil }
    return "\(latitude), \(longitude)"
  }

  private static func location(_ data: JSONValue?) -> Location? {
    guard let latitude = data?["latitude"]?.number, let longitude = data?["longitude"]?.number,
      latitude != 0 || longitude != 0, let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    // Google writes 0 for a missing altitude. An impossible altitude came from a broken receiver.
    let altitude = data?["altitude"]?.number.flatMap { $0 != 0 && Location.altitudes.contains($0) ? $0 : nil }
    return Location(coordinate, altitude: altitude)
  }
}

extension TakeoutRecord {
  /// Returns the values that aren't written, if the photo keeps its date, or (when places are requested) its place or
  /// the lack of one.
  package func doubts(of metadata: Metadata, keepsDate: Bool, keepsPlace: Bool) -> [TakeoutAmbiguity] {
    var doubts: [TakeoutAmbiguity] = []
    if keepsDate, let taken, metadata.captureTime?.isFar(from: taken) == true { doubts.append(.otherDate(taken)) }
    if keepsPlace, metadata.location == nil, let impossiblePlace { doubts.append(.noPlace(impossiblePlace)) }
    if keepsPlace, let place = location?.coordinate, let own = metadata.location?.coordinate,
      case let metres = own.distance(to: place), metres > TakeoutRecord.samePlace
    {
      doubts.append(.otherPlace(place, metres: metres))
    }
    return doubts
  }
}

extension CaptureTime {
  /// Whether the time differs from `instant` by more than a minute; without a known offset, in every zone.
  fileprivate func isFar(from instant: Instant) -> Bool {
    if let own = self.instant { return abs(own.seconds - instant.seconds) > 60 }
    let offset = civil.secondsSince1970 - instant.seconds
    guard DateCheck.zones.contains(offset) else { return true }
    // Since 1972 the offsets of all zones are whole quarters of an hour, except Liberia's for a week.
    let quarter: Int64 = 900
    let beside = (offset % quarter + quarter) % quarter
    return civil.year > 1972 && min(beside, quarter - beside) > 60
  }
}
