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
    case .severalPhotos: "shares a JSON file with other photos, which can only belong to one"
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
