import MetaTag

extension ClockAmbiguity {
  /// The reason in a sentence, and what to do in another.
  var words: String { joined(description, remedy) }
}

extension PassAmbiguity {
  /// The reason in a sentence, and what to do in another.
  var words: String { joined(description, remedy) }
}
