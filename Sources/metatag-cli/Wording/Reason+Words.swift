import MetaTag

extension Reason {
  /// The reason in a sentence, and what to do in another: `no time zone recorded (…). Use --camera-zone.`
  var words: String { sentence(description, remedy) }
}

extension ClockAmbiguity {
  /// The reason in a sentence, and what to do in another.
  var words: String { sentence(description, remedy) }
}

extension PassAmbiguity {
  /// The reason in a sentence, and what to do in another.
  var words: String { sentence(description, remedy) }
}

/// Joins a sentence and the words of a remedy.
func sentence(_ description: String, _ remedy: Remedy?) -> String {
  [description, remedy?.words].compactMap(\.self).joined(separator: ". ")
}
