import Basics
import Testing

@testable import GeoIndex

@Suite("Drafts of places")
struct PlaceDraftTests {
  @Test(
    "Languages are written as BCP 47 does.",
    arguments: [
      ("de", "de"), ("DE", "de"), ("zh-hant", "zh-Hant"), ("zh_Hant", "zh-Hant"), ("pt-br", "pt-BR"),
      ("be-tarask", "be-tarask"), ("sr-Latn", "sr-Latn"), ("ja_rm", "ja-RM"), ("nan", "nan"), ("", nil), ("d", nil),
      ("etymology", nil), ("left", nil), ("de:wikidata", nil), ("12", nil), ("de-abcdefghi", nil), ("d\u{E9}", nil),
      ("-", nil),
    ] as [(String, String?)])
  func languages(text: String, tag: String?) { #expect(PlaceField.language(text) == tag) }

  @Test(
    "Headings of names have a language or none.",
    arguments: [
      ("name", PlaceField.name), ("NAME:de", .alternateNames("de")), ("alt_name", .alternateNames()),
      ("alt_name:zh-hant", .alternateNames("zh-Hant")), ("old_name", .alternateNames()),
      ("Official Name", .alternateNames()), ("name:local", .alternateNames()), ("addr:street", nil), ("colour", nil),
    ] as [(String, PlaceField?)])
  func headings(text: String, field: PlaceField?) { #expect(PlaceField(text) == field) }

  @Test("A name that is blank, too long or one too many is ignored.")
  func names() {
    var draft = PlaceDraft()
    for name in [" ", "\u{A0}", String(repeating: "x", count: 401), " A ", "A"] { draft.addName(name) }
    #expect(draft.names == [.init(text: "A", language: nil), .init(text: "A", language: nil)])
    #expect(draft.alternateNames == ["A"])
    for number in 0..<2_000 { draft.addName("\(number)") }
    #expect(draft.names.count == 1_000)
  }

  @Test(
    "Points are read from well-known text, longitude first.",
    arguments: [
      ("Point(2.5 48)", 48, 2.5), ("POINT (-3e-05 1E1)", 10, -3e-05), ("SRID=4326;Point(1 2)", 2, 1),
      ("48, 2.5", 48, 2.5),
    ])
  func wellKnownText(text: String, latitude: Double, longitude: Double) throws {
    var draft = PlaceDraft()
    draft[.position] = text
    #expect(try draft.position() == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test("Other texts are no points.", arguments: ["Point(1 91)", "Point(1)", "Point(a b)", "Polygon((1 2))", "1e5, 2"])
  func noPoints(text: String) {
    var draft = PlaceDraft()
    draft[.position] = text
    #expect(throws: PlaceDraft.Flaw.self) { try draft.position() }
  }
}
