extension Gazetteer {
  /// Whether `text` is what programs print if they have no coordinates: `nan,nan`, `null,null`, `,`. Nan is also a
  /// town, but this text doesn't mean it.
  public static func isFailedCoordinates(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    return parts.allSatisfy { part in
      noNumbers.contains(part.filter { !$0.isWhitespace }.drop { "+-".contains($0) }[...])
    }
  }

  /// The forms of C, JavaScript, Python, Go, Swift, R and SQL. `Nan` is not included, because it is the spelling of the
  /// town.
  private static let noNumbers: Set<Substring> = [
    "", "nan", "NaN", "NAN", "inf", "Inf", "INF", "infinity", "Infinity", "null", "NULL", "nil", "None", "none", "NA",
    "undefined",
  ]
}
