import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Kinds of imported places")
struct KindTableTests {
  /// The sections of Documentation/PLACES.md and their tables.
  private static let tables: [(heading: String, table: KindTable)] = [
    ("### OpenStreetMap\n", OSMKinds.table), ("### GeoNames\n", GeoNamesKinds.table),
    ("### Overture Maps: categories of places\n", OvertureKinds.categories),
    ("### Overture Maps: divisions and base features\n", OvertureKinds.classes),
    ("### Wikidata\n", WikidataKinds.table),
  ]

  @Test("The documentation has the same tables.", arguments: tables.indices)
  func documentation(index: Int) throws {
    let (heading, table) = Self.tables[index]
    let text = try String(contentsOf: Corpus.project.appending(path: "Documentation/PLACES.md"), encoding: .utf8)
    let start = try #require(text.range(of: heading))
    let section = text[start.upperBound...].components(separatedBy: "\n#")[0]
    let documented = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    let rows = table.rows.map { row in
      "| \(row.kind.rawValue) | " + row.patterns.map { "`\($0)`" }.joined(separator: " ") + " |"
    }
    #expect(documented.map(String.init) == rows)
  }

  @Test("The documentation has the groups of kinds.", arguments: Place.Group.allCases)
  func groups(group: Place.Group) throws {
    let text = try String(contentsOf: Corpus.project.appending(path: "Documentation/PLACES.md"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("- `\(group.rawValue)`: ") })
    let kinds = Place.Kind.allCases.filter { $0.group == group && $0 != .coordinate }.map { "`\($0.rawValue)`" }
    #expect(Set(line.split(separator: " ").dropFirst(2).map { $0.filter { $0 != "," } }) == Set(kinds))
  }

  @Test("No pattern occurs twice in a table.", arguments: tables.indices)
  func unique(index: Int) {
    let patterns = Self.tables[index].table.rows.flatMap(\.patterns)
    #expect(
      Set(patterns).count == patterns.count,
      "\(Dictionary(grouping: patterns) { $0 }.filter { $0.value.count > 1 }.keys)")
  }

  @Test(
    "Tags mean the kind of the first row that applies.",
    arguments: [
      (["historic": "castle", "tourism": "museum"], Place.Kind.castle),
      (["place": "city", "capital": "yes"], .capital),
      (["place": "city", "capital": "4"], .city), (["amenity": "place_of_worship", "religion": "jewish"], .synagogue),
      (["amenity": "place_of_worship"], .church), (["railway": "station", "station": "subway"], .metro),
      (["building": "no", "tourism": "hotel"], .hotel), (["historic": "yes"], .landmark), (["shop": "bakery"], .own),
      (["boundary": "administrative", "admin_level": "4"], .admin1),
      (["highway": "primary", "wikidata": "Q1"], .street),
    ])
  func tags(tags: [String: String], kind: Place.Kind) { #expect(OSMKinds.table.kind(of: tags)?.kind == kind) }

  @Test("Objects without a known tag have no kind.")
  func noKind() {
    #expect(OSMKinds.table.kind(of: ["highway": "residential", "name": "A"]) == nil)
    #expect(OSMKinds.table.kind(of: ["building": "no"]) == nil)
  }

  @Test(
    "Codes and words mean kinds.",
    arguments: [
      ("P.PPLX", Place.Kind.city), ("T.VLC", .volcano), ("H.LK", .lake), ("S.CSTL", .castle), ("A.ADM3", .region),
    ])
  func codes(code: String, kind: Place.Kind) {
    let parts = code.split(separator: ".").map(String.init)
    #expect(GeoNamesKinds.table.kind(ofCode: parts[1], in: parts[0]) == kind)
    #expect(WikidataKinds.table.kind(inWords: "Art Museum of Nowhere") == .museum)
    #expect(WikidataKinds.table.kind(inWords: "theme park of Japan") == .themePark)
    #expect(WikidataKinds.table.kind(inWords: "taxon") == nil)
    #expect(OvertureKinds.categories.kind(inWords: "italian_restaurant") == .restaurant)
  }

  @Test("What is better known is more important.")
  func importance() {
    let tower = Importance.of(.tower, .init(languages: 180, hasWikidata: true, hasWikipedia: true))
    let castle = Importance.of(.castle, .init(languages: 12, hasWikidata: true, hasWikipedia: true))
    let city = Importance.of(.city, .init(languages: 90, hasWikidata: true, hasWikipedia: true, population: 3_000_000))
    let village = Importance.of(.city, .init(population: 300))
    let cafe = Importance.of(.cafe, .init())
    #expect(city > castle && tower > castle && castle > village && village > cafe)
    #expect(Importance.of(.peak, .init(height: 4_000)) > Importance.of(.peak, .init(height: 400)))
    #expect(Importance.of(.lake, .init(area: 5e8)) > Importance.of(.lake, .init(area: 5e4)))
    let all = ImportanceFactors(
      languages: .max, hasWikidata: true, hasWikipedia: true, population: .max, area: .infinity, height: .infinity,
      rank: 9)
    #expect(Place.Kind.allCases.allSatisfy { (0...1).contains(Importance.of($0, all)) })
  }
}
