/// A value in Google Takeout that isn't written, because the photo has another one and keeps it, or because it can't be
/// right.
public enum TakeoutAmbiguity: Hashable, Sendable {
  /// Takeout has another time than the photo.
  case otherDate(Instant)
  /// Takeout has another place, so many metres from the photo's own.
  case otherPlace(Coordinate, metres: Double)
  /// These degrees are no place on Earth.
  case noPlace(String)
  /// Takeout has another description than the photo.
  case otherDescription
  /// Takeout has a description, a rating or both for a movie, which can't hold them.
  case isMovie([PhotoField])
  /// The photo is a favourite and has another rating: this one.
  case otherRating(Int)
  /// The description can't be written: the cause.
  case unusableDescription(String)

  /// Returns a sentence about the JSON file with this name.
  func sentence(of name: String) -> String {
    switch self {
    case .otherDate(let instant):
      "\(name) says \(instant.inUTC ?? "another time"), which is not its own date; that is kept"
    case .otherPlace(let place, let metres):
      "\(name) says \(place), which is \(Length(metres)) from its own place; that is kept"
    case .noPlace(let text): "\(name) says \(text), which is no place on Earth"
    case .otherDescription: "\(name) has another description; that of the photo is kept"
    case .isMovie(let fields):
      "the \(fields.map(\.rawValue).joined(separator: " and ")) in \(name) "
        + (fields.count == 1
          ? "is not written: movies have no place for it" : "are not written: movies have no place for them")
    case .otherRating(let stars):
      "\(name) says it is a favourite; the photo's own rating (\(stars < 0 ? "rejected" : "\(stars)")) is kept"
    case .unusableDescription(let why): "the description in \(name) is not written: \(why)"
    }
  }
}

extension TakeoutRecord {
  /// Returns the values that aren't written, if the photo keeps its date, or (when places are requested) its place or
  /// the lack of one.
  func doubts(of metadata: Metadata, keepsDate: Bool, keepsPlace: Bool) -> [TakeoutAmbiguity] {
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
