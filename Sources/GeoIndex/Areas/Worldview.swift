import Foundation

/// The countries of disputed areas: `worldview.tsv` next to the borders, a table that users may edit.
struct Worldview {
  /// The country of each time zone in the table.
  let countries: [String: CountryCode]

  /// - Parameter text: Lines of a zone, a country's two letters and a note, separated by tabs; `#` begins a comment.
  init(_ text: String) throws(GeoIndexError) {
    var countries: [String: CountryCode] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && line.first != "#" {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 2, !fields[0].isEmpty, fields[1].utf8.count == 2,
        fields[1].utf8.allSatisfy({ (0x41...0x5A).contains($0) }), countries[String(fields[0])] == nil
      else { throw Self.unclear("line \(index + 1)") }
      countries[String(fields[0])] = CountryCode(fields[1])
    }
    self.countries = countries
  }

  /// Returns the countries of zones, in the order of their names, with the table's entries replacing those of the
  /// borders.
  func applied(to said: [CountryCode], of zones: [String]) throws(GeoIndexError) -> [CountryCode] {
    if let unknown = countries.keys.sorted().first(where: { !zones.contains($0) }) { throw Self.unclear(unknown) }
    return zip(said, zones).map { countries[$1] ?? $0 }
  }

  private static func unclear(_ what: String) -> GeoIndexError {
    GeoIndexError(
      .damagedGazetteer,
      "worldview.tsv next to the borders is invalid (\(what)): it takes a time zone, a tab and a country's two letters"
    )
  }
}
