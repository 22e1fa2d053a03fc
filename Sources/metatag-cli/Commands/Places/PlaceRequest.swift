import Foundation
import GeoIndex

/// A request to `place search --jsonl -`.
struct PlaceRequest: Decodable, Equatable {
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

  /// Reads a request in its usual form; nil if it has another one.
  init?(plain line: Range<Int>, in bytes: [UInt8]) {
    var (query, language): (String?, String?)
    var near: [Double]?
    var (countries, kinds): ([String]?, [String]?)
    var (limit, offset): (WholeNumber?, WholeNumber?)
    var prefix: Bool?
    let isPlain = RequestReader.readMembers(of: line, in: bytes, CodingKeys.self) { key, reader in
      switch key {
      case .query: reader.read(&query)
      case .near: reader.read(&near)
      case .in: reader.read(&countries)
      case .kinds: reader.read(&kinds)
      case .language: reader.read(&language)
      case .limit: reader.read(&limit)
      case .offset: reader.read(&offset)
      case .prefix: reader.read(&prefix)
      }
    }
    guard isPlain, let query else { return nil }
    (self.query, self.language, self.near, self.`in`, self.kinds) = (query, language, near, countries, kinds)
    (self.limit, self.offset, self.prefix) = (limit, offset, prefix)
  }

  /// Writes the answer to one line of input.
  static func answer(
    _ line: Range<Int>, in bytes: [UInt8], index: Gazetteer, _ languages: inout DisplayLanguages,
    to writer: inout JSONWriter
  ) {
    do {
      let request =
        try PlaceRequest(plain: line, in: bytes)
        ?? RequestLines.request(PlaceRequest.self, CodingKeys.self, in: bytes[line])
      let language = try languages(request.language)
      let results = try request.results(index, language.tag)
      let match = MatchKind(of: results, isCompleting: request.prefix ?? false)
      results.write(to: &writer, match, language, typed: request.prefix == true ? request.query : nil)
    } catch {
      writer.failure(error, expected: "expected an object with a \"query\"")
    }
  }

  private func results(_ index: Gazetteer, _ language: String?) throws -> [SearchResult] {
    var point: (latitude: Double, longitude: Double)?
    if let near {
      guard near.count == 2, abs(near[0]) <= 90, abs(near[1]) <= 36_000 else {
        throw RequestError(.invalidMember, "\"near\" takes [latitude, longitude] in degrees")
      }
      point = (near[0], near[1])
    }
    let kinds = try (kinds ?? []).flatMap { name in
      if let group = Place.Group(rawValue: name) { return Array(group.kinds) }
      guard let kind = Place.Kind(word: name) else {
        throw RequestError(
          .invalidMember,
          "unknown kind '\(name.printable)' in \"kinds\"; kinds are \(Place.Kind.list(Place.Kind.allCases))")
      }
      return [kind]
    }
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
  /// - Parameter typed: The text that is being typed; nil if it is complete.
  func write(to writer: inout JSONWriter, _ match: MatchKind, _ language: DisplayLanguage, typed: String? = nil) {
    writer.object { writer in
      writer.member("matchKind", match.rawValue)
      writer.member("languageFallback", language.isFallback ? true : nil)
      writer.key("results")
      writer.array { writer in forEach { $0.write(to: &writer, typed: typed) } }
    }
    writer.endLine()
  }
}

extension SearchResult {
  /// Writes the result as an object.
  /// - Parameter typed: The text that is being typed; nil if it is complete.
  func write(to writer: inout JSONWriter, typed: String?) {
    writer.object { writer in
      writer.member("id", Int(place.id))
      writer.member("name", name)
      writer.member("matchedName", place.matchedName)
      if let typed, let range = matchedRanges(of: typed).first {
        writer.key("matchedRange")
        writer.array { writer in
          writer.value(place.matchedName.utf16.distance(from: place.matchedName.startIndex, to: range.lowerBound))
          writer.value(place.matchedName.utf16.distance(from: range.lowerBound, to: range.upperBound))
        }
      }
      writer.member("kind", place.kind.rawValue)
      writer.member("latitude", place.latitude)
      writer.member("longitude", place.longitude)
      place.own?.write(to: &writer)
      place.writeSurroundings(to: &writer, country: country, admin1: admin1)
      writer.member("importance", round(place.importance))
      writer.member("radius", place.radius)
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
