/// What Google Takeout says of a photo and isn't written: the photo says otherwise and keeps that, or it can't be true.
public enum TakeoutAmbiguity: Hashable, Sendable {
  /// It was taken at another time than it records.
  case otherDate(Instant)
  /// It was taken elsewhere, so many metres from where it says.
  case otherPlace(Coordinate, metres: Double)
  /// These degrees are no place on Earth.
  case noPlace(String)
  /// It has another description than the photo.
  case otherDescription
  /// It has a description, a rating or both for a movie, which has no place for them.
  case isMovie([PhotoField])
  /// It is a favourite, and the photo has another rating: this one.
  case otherRating(Int)
  /// Its description can't be written: why.
  case unusableDescription(String)

  /// In a sentence about the JSON file of this name.
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
  /// What is to be told where the photo keeps its date, or, if places are asked for, its place or that it has none.
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
  /// Whether it is another time than `instant`: to the minute, or, where its zone isn't known, in every zone.
  fileprivate func isFar(from instant: Instant) -> Bool {
    if let own = self.instant { return abs(own.seconds - instant.seconds) > 60 }
    let offset = civil.secondsSince1970 - instant.seconds
    guard DateCheck.zones.contains(offset) else { return true }
    // Since 1972 all zones, but that of Liberia for a week, are whole quarters of hours from UTC.
    let quarter: Int64 = 900
    let beside = (offset % quarter + quarter) % quarter
    return civil.year > 1972 && min(beside, quarter - beside) > 60
  }
}
