import GeoIndex
import Testing

@Suite("Certainty of a search")
struct MatchKindTests {
  private func kind(_ text: String, isCompleting: Bool = false) throws -> MatchKind {
    let results = try WholeGazetteer.index().search(text, isCompleting: isCompleting, limit: 1)
    return MatchKind(of: results, isCompleting: isCompleting)
  }

  @Test(
    "A match is exact if a place has the name in its own or the requested language, or the code.",
    arguments: [
      "Kyoto", "京都", "大阪市", "Springfield, Illinois", "Springfield IL", "NRT", "Florida City",
      "35.0,135.7", "9G8F+6X Zürich", "Eiffel Tower", "Loch Ness", "Taj Mahal", "Mount Fuji", "museum Berlin",
    ])
  func exact(text: String) throws { #expect(try kind(text) == .exact) }

  @Test(
    "A match is likely if a place has the name elsewhere, or its name begins like or nearly equals the text, and no other comes close.",
    arguments: [
      "Muenchen", "San Fransisco", "Reykjavic", "Vancover", "Nara Japan", "Washington State", "Машхад", "富士山",
      "Tokyo Narita Airport", "安提瓜", "Guaduloupe", "Philadephia",
      // Others of the name are far less known.
      "Mecca", "Hermitage", "Kilimanjaro", "Bodensee", "Harvard", "Prado", "Maracana",
      // A name in another language with a word for the kind.
      "Monte Cervino", "Mont Cervin", "Bahnhof Zürich",
    ])
  func likely(text: String) throws { #expect([.likely, .exact].contains(try kind(text))) }

  @Test(
    "A match is similar if a word is missing, begins otherwise or differs much, or others come close.",
    arguments: ["Letten", "Dartmouth, Massachusetts", "Xanaduville", "Galata", "Bahnhof Altona"])
  func similar(text: String) throws { #expect([.similar, .none].contains(try kind(text))) }

  @Test("Of a name that no place has, at most five similar ones are found.")
  func floor() throws {
    let found = try WholeGazetteer.index().search("Letten", limit: 50)
    #expect((1...5).contains(found.count) && found.allSatisfy { $0.matchKind != .exact })
  }

  @Test("If others match, what hardly does is left out.")
  func leftOut() throws {
    let stadiums = try WholeGazetteer.index().search("stadium manchester")
    #expect(stadiums.first?.matchKind == .exact && stadiums.allSatisfy { $0.place.countryCode == "GB" })
  }

  @Test("Without a result there is no match, and while typing the last word may be one letter.")
  func others() throws {
    #expect(try kind("qqqqxyzzy") == .none)
    #expect(try kind("san f", isCompleting: true) == .likely)
  }
}
