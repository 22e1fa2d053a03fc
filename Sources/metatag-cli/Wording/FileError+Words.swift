import MetaTag

extension FileError {
  /// The problem in a sentence, and what to do in another: `is write-protected. Run chmod u+w on it first.`
  var words: String { [description, remedy?.words].compactMap(\.self).joined(separator: ". ") }
}

extension Error {
  /// The error in words. Errors about files say what to do.
  var words: String { (self as? FileError)?.words ?? "\(self)" }
}
