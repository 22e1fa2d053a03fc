import Basics
import GRDB

/// Determines the country, region and time zone of a user's place: from its file, otherwise from the gazetteer's
/// borders.
struct Surroundings {
  /// The gazetteer; nil if only the file is used.
  let index: Gazetteer?
  private var codes: [String: String] = [:]
  private var names: [String: String] = [:]

  init(_ index: Gazetteer?) { self.index = index }

  /// The surroundings of a position.
  struct Answer {
    var code = ""
    var country = ""
    var region: String?
    var zone = ""
  }

  /// - Parameter country: A code, or a name in any language; if it is unknown, the borders decide.
  mutating func at(_ point: Coordinate, country: String?, region: String?, zone: String?) throws(GeoIndexError)
    -> Answer
  {
    var answer = Answer()
    if let index {
      let found = try index.reverse(latitude: point.latitude, longitude: point.longitude)
      answer.code = found.countryCode ?? ""
      answer.region = found.admin1?.name
      answer.zone = found.zones.first ?? ""
    }
    if let country, let code = try code(of: country), code != answer.code {
      answer.code = code
      answer.region = nil
    }
    answer.country = try name(of: answer.code)
    if let region { answer.region = region }
    if let zone { answer.zone = zone }
    return answer
  }

  private mutating func code(of country: String) throws(GeoIndexError) -> String? {
    if let known = codes[country] { return known.isEmpty ? nil : known }
    let code: String
    if country.utf8.count == 2, country.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) {
      code = country.uppercased()
    } else {
      code = try index?.countries(named: country).first ?? ""
    }
    // A file with thousands of countries has other data in that column.
    if codes.count < 10_000 { codes[country] = code }
    return code.isEmpty ? nil : code
  }

  private mutating func name(of code: String) throws(GeoIndexError) -> String {
    guard let index, !code.isEmpty else { return code }
    if let name = names[code] { return name }
    let name = try index.read {
      try String.fetchOne($0, sql: "SELECT name FROM country WHERE code = ?", arguments: [code])
    }
    names[code] = name ?? code
    return name ?? code
  }
}
