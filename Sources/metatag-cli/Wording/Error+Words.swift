import GeoIndex
import MetaTag

extension Error {
  /// The problem in a sentence, and what to do in another: `is write-protected. Run chmod u+w on it first.`
  var words: String {
    switch self {
    case let error as FileError: joined(error.description, error.remedy)
    case let error as GeoIndexError: joined(error.description, error.remedy)
    case let error as ParseError: joined(error.description, error.remedy)
    case let error as Reason: joined(error.description, error.remedy)
    default: "\(self)"
    }
  }
}

/// Joins a sentence and the words of a remedy.
func joined(_ description: String, _ remedy: Remedy?) -> String {
  guard let remedy else { return description }
  return description + (description.contains("\n") ? "\n" : ". ") + remedy.words
}
