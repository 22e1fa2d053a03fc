/// The reason why Google Takeout gives no values for a photo.
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

  /// The reason in a sentence.
  package var sentence: String {
    switch self {
    case .noDescription: "\(heading) in its folder"
    case .severalDescriptions(let names): "\(heading): \(names.joined(separator: ", "))"
    case .severalPhotos(let name, let photos): "\(heading): \(name) may be about \(photos.joined(separator: ", "))"
    case .unreadable(let name, let error): "\(heading): \(name): \(error)"
    case .empty(let name): "\(heading): \(name)"
    }
  }

  /// The reason without names.
  package var heading: String {
    switch self {
    case .noDescription: "has no JSON file"
    case .severalDescriptions: "has more than one JSON file that may be its own"
    case .severalPhotos: "shares a JSON file with others, and only one of them can be meant"
    case .unreadable: "has a JSON file that can't be read"
    case .empty: "has a JSON file that tells nothing of what was asked for"
    }
  }
}
