import Foundation
import GeoIndex

/// A request to `place search --jsonl -`.
struct PlaceRequest: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case query, near, `in`, kinds, language, limit, offset, prefix
  }

  let query: String
  let near: [Double]?
  let `in`: [String]?
  let kinds: [String]?
  let language: String?
  /// The greatest number of results; 0 means all.
  let limit: WholeNumber?
  let offset: WholeNumber?
  /// Whether the query is still being typed.
  let prefix: Bool?

  /// Returns the answer to one line of input.
  static func answer(_ line: [UInt8], index: Gazetteer) -> [UInt8] {
    do {
      let request = try RequestLines.request(PlaceRequest.self, CodingKeys.self, in: line)
      let results = try request.results(index)
      let match = MatchKind(of: results, isCompleting: request.prefix ?? false)
      var writer = JSONWriter(.oneLine)
      results.write(to: &writer, match)
      return writer.take()
    } catch {
      return JSONWriter.failure(error, expected: "expected an object with a \"query\"")
    }
  }

  private func results(_ index: Gazetteer) throws -> [SearchResult] {
    var point: (latitude: Double, longitude: Double)?
    if let near {
      guard near.count == 2, abs(near[0]) <= 90, abs(near[1]) <= 36_000 else {
        throw RequestError(.invalidMember, "\"near\" takes [latitude, longitude] in degrees")
      }
      point = (near[0], near[1])
    }
    let kinds = try (kinds ?? []).map { name in
      guard let kind = Place.Kind(word: name) else {
        throw RequestError(
          .invalidMember,
          "unknown kind '\(name.printable)' in \"kinds\"; kinds are \(Place.Kind.list(Place.Kind.allCases))")
      }
      return kind
    }
    try index.require(language: language)
    let (limit, offset, isCompleting) = (limit?.value ?? 10, offset?.value ?? 0, prefix ?? false)
    guard limit >= 0, offset >= 0 else { throw RequestError(.invalidMember, "\"limit\" and \"offset\" take 0 or more") }
    // While typing, the query may be empty or an incomplete number.
    if !isCompleting {
      if query.allSatisfy(\.isWhitespace) {
        throw RequestError(.invalidMember, "\"query\" is empty: a place's name is missing")
      }
      if Gazetteer.flaw(inCoordinates: query) != nil { throw RequestError(.invalidMember, Gazetteer.unknown(query)) }
    }
    return try index.search(
      query, near: point, in: Set(`in` ?? []), kinds: Set(kinds), language: language, isCompleting: isCompleting,
      limit: limit == 0 ? .max : limit, offset: offset)
  }
}

extension [SearchResult] {
  /// Writes the results as a line or a document.
  func write(to writer: inout JSONWriter, _ match: MatchKind) {
    writer.object { writer in
      writer.member("matchKind", match.rawValue)
      writer.key("results")
      writer.array { writer in forEach { $0.write(to: &writer) } }
    }
    writer.endLine()
  }
}

extension SearchResult {
  /// Writes the result as an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", Int(place.id))
      writer.member("name", name)
      writer.member("matchedName", place.matchedName)
      writer.member("kind", place.kind.rawValue)
      writer.member("latitude", place.latitude)
      writer.member("longitude", place.longitude)
      place.own?.write(to: &writer)
      place.writeSurroundings(to: &writer, country: country, admin1: admin1)
      writer.member("matchKind", matchKind.rawValue)
      writer.member("score", round(score.total))
      writer.key("scoreParts")
      writer.object { writer in
        writer.member("match", round(score.match))
        writer.member("importance", round(score.importance))
        writer.member("context", round(score.context))
        writer.member("nearness", round(score.nearness))
      }
    }
  }

  private func round(_ number: Double) -> Double { (number * 1e4).rounded() / 1e4 }
}
