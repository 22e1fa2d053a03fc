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
      "\(name) has another date (\(instant.inUTC ?? "not representable")); the photo's own is kept"
    case .otherPlace(let place, let metres):
      "\(name) has another location (\(place), \(Length(metres)) away); the photo's own is kept"
    case .noPlace(let text): "\(name) has \(text), which is no place on Earth"
    case .otherDescription: "\(name) has another description; that of the photo is kept"
    case .isMovie(let fields):
      "the \(fields.map(\.rawValue).joined(separator: " and ")) in \(name) "
        + (fields.count == 1
          ? "is not written: movies have no place for it" : "are not written: movies have no place for them")
    case .otherRating(let stars):
      "\(name) marks it as a favourite; the photo's own rating (\(stars < 0 ? "rejected" : "\(stars)")) is kept"
    case .unusableDescription(let why): "the description in \(name) is not written: \(why)"
    }
  }
}
