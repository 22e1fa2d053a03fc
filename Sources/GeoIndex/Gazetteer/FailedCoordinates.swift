extension Gazetteer {
  /// Whether `text` is what programs print where they have no coordinates: `nan,nan`, `null,null`, `,`. Nan is a town,
  /// too, but nobody means it so.
  public static func isFailedCoordinates(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    return parts.allSatisfy { part in
      noNumbers.contains(part.filter { !$0.isWhitespace }.drop { "+-".contains($0) }[...])
    }
  }

  /// As C, JavaScript, Python, Go, Swift, R and SQL write them. `Nan` is how a town is written.
  private static let noNumbers: Set<Substring> = [
    "", "nan", "NaN", "NAN", "inf", "Inf", "INF", "infinity", "Infinity", "null", "NULL", "nil", "None", "none", "NA",
    "undefined",
  ]
}
