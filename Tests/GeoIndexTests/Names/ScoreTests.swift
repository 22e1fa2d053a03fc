import Foundation
import GeoIndex
import TestSupport
import Testing

/// Cases that were not written for this project (../shared/geo/README.md has their sources and the scoring).
@Suite("Scores on published cases", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct ScoreTests {
  @Test(
    "Every set of cases reaches its minimum scores.",
    arguments: [
      ("pf-capitals", 0.99, 0.995), ("pf-citysearch", 0.97, 0.99), ("pf-na-cities", 0.94, 0.95),
      ("gt-usa-cities", 0.9, 1), ("gt-airports-iata", 0.82, 0.88),
    ])
  func floors(set: String, first: Double, five: Double) throws {
    let index = try WholeGazetteer.index()
    let cases = try ScoreCase.cases(of: set)
    try #require(!cases.isEmpty)
    var (hits, firsts) = (0, 0)
    let time = try processorTime {
      for each in cases {
        guard let hit = try index.search(each.query, limit: 5).firstIndex(where: { each.isHit($0.place) }) else {
          continue
        }
        hits += 1
        firsts += hit == 0 ? 1 : 0
      }
    }
    let count = Double(cases.count)
    #expect(Double(firsts) / count >= first)
    #expect(Double(hits) / count >= five)
    #expect(time / cases.count < .milliseconds(50))
  }
}

private struct ScoreCase {
  let query: String
  private let fields: [String]

  static func cases(of set: String) throws -> [ScoreCase] {
    let file = Corpus.shared.appending(path: "geo/forward.tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
      .filter { $0[0] == set && !$0[11].hasPrefix("?") }
      .map { ScoreCase(query: $0[2], fields: $0) }
  }

  /// Whether a place is near enough; or, if the case has no location, has the same country, region and name.
  func isHit(_ place: Place) -> Bool {
    guard let latitude = Double(fields[7]), let longitude = Double(fields[8]) else {
      return place.countryCode == fields[11] && (fields[12].isEmpty || fold(place.admin1 ?? "") == fold(fields[12]))
        && (fields[10].isEmpty || [place.name, place.matchedName].map(fold).contains(fold(fields[10])))
    }
    // Degrees are precise enough for circles of 15 to 100 km far from the poles.
    let (y, x) = (place.latitude - latitude, (place.longitude - longitude) * cos(latitude * .pi / 180))
    return hypot(x, y) * 111_195 <= max(Double(fields[9]) ?? 0, fields[13] == "airport" ? 5_000 : 15_000)
  }

  private func fold(_ name: String) -> String {
    name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).filter(\.isLetter)
  }
}
