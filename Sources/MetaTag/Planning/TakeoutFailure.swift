/// The reason why Google Takeout gives no values for a photo.
@nonexhaustive
public enum TakeoutFailure: Error, Hashable, Sendable {
  /// No JSON file in the folder belongs to the photo.
  case noDescription
  /// Several JSON files may belong to the photo: their names.
  case severalDescriptions([String])
  /// The JSON file may belong to other photos as well: its name and theirs.
  case severalPhotos(String, [String])
  /// The JSON file can't be read: its name and the cause.
  case unreadable(String, FileError)
  /// The JSON file contains no usable time or place.
  case empty(String)

  /// The reason as a code.
  var code: Reason.Code {
    switch self {
    case .noDescription: .noTakeoutFile
    case .severalDescriptions: .severalTakeoutFiles
    case .severalPhotos: .severalTakeoutPhotos
    case .unreadable: .unreadableTakeoutFile
    case .empty: .emptyTakeoutFile
    }
  }

  /// The remedy; nil if there is none.
  var remedy: Remedy? { if case .unreadable(_, let error) = self { error.remedy } else { nil } }

  /// The reason without names.
  var summary: String {
    switch self {
    case .noDescription: "has no JSON file"
    case .severalDescriptions: "has several JSON files"
    case .severalPhotos: "shares a JSON file with other photos, but it can only belong to one"
    case .unreadable: "has a JSON file that can't be read"
    case .empty: "JSON file has no date or location"
    }
  }
}

extension TakeoutFailure: CustomStringConvertible {
  /// The reason in a sentence.
  public var description: String {
    switch self {
    case .noDescription: "\(summary) in its folder"
    case .severalDescriptions(let names): "\(summary): \(names.joined(separator: ", "))"
    case .severalPhotos(let name, let photos): "\(summary): \(name) may belong to \(photos.joined(separator: ", "))"
    case .unreadable(let name, let error): "\(summary): \(name): \(error.description)"
    case .empty(let name): "\(summary): \(name)"
    }
  }
}

/// A value in Google Takeout that isn't written, because the photo has another one and keeps it, or because it can't be
/// right.
@nonexhaustive
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
    case .noPlace(let text): "\(name) has the invalid position \(text)"
    case .otherDescription: "\(name) has another description; that of the photo is kept"
    case .isMovie(let fields):
      "the \(fields.map(\.rawValue).joined(separator: " and ")) in \(name) "
        + (fields.count == 1
          ? "is not written: movies can't store it" : "are not written: movies can't store them")
    case .otherRating(let stars):
      "\(name) marks the photo as a favourite; its own rating (\(stars < 0 ? "rejected" : "\(stars)")) is kept"
    case .unusableDescription(let why): "the description in \(name) is not written: \(why)"
    }
  }
}
