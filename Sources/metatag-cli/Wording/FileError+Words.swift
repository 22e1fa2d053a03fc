import MetaTag

extension FileError {
  /// The problem in a sentence, and what to do in another: `is write-protected. Run chmod u+w on it first.`
  var words: String { joined(description, remedy) }
}

extension Error {
  /// The error in words. Errors about files say what to do.
  var words: String { (self as? FileError)?.words ?? (self as? Reason)?.words ?? "\(self)" }
}
