import GeoIndex
import Testing

@Suite("Certainty of a search")
struct MatchKindTests {
  private func kind(_ text: String, isCompleting: Bool = false) throws -> MatchKind {
    let results = try WholeGazetteer.index().search(text, isCompleting: isCompleting, limit: 1)
    return MatchKind(of: results)
  }

  @Test(
    "A match is likely if a place's name equals, begins like or nearly equals the text.",
    arguments: [
      "Kyoto", "京都", "大阪市", "san franc", "Springfield, Illinois", "Springfield IL", "NRT", "Muenchen", "Kyotoo",
      "San Fransisco", "Philadephia", "Reykjavic", "Vancover", "Nara Japan", "Florida City", "Washington State",
      "Tokyo Narita Airport", "Машхад", "35.0,135.7", "9G8F+6X Zürich", "安提瓜", "Guaduloupe",
    ])
  func likely(text: String) throws { #expect(try kind(text) == .likely) }

  @Test(
    "A match is similar if a word is missing, begins otherwise or differs much.",
    arguments: [
      "富士山", "Eiffel Tower", "Letten", "Loch Ness", "Taj Mahal", "Mount Fuji", "Bremen Hauptbahnhof", "Mt. Rushmore",
      "Dartmouth, Massachusetts",
    ])
  func similar(text: String) throws { #expect(try kind(text) == .similar) }

  @Test("Without a result there is no match, and while typing the last word may be one letter.")
  func others() throws {
    #expect(try kind("qqqqxyzzy") == .none)
    #expect(try kind("san f", isCompleting: true) == .likely)
  }
}
