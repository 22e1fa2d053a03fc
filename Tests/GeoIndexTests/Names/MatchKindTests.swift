import GeoIndex
import Testing

@Suite("How far a search can be trusted")
struct MatchKindTests {
  private func kind(_ text: String, isCompleting: Bool = false) throws -> MatchKind {
    let results = try WholeGazetteer.index().search(text, isCompleting: isCompleting, limit: 1)
    return MatchKind(of: results, for: text, isCompleting: isCompleting)
  }

  @Test(
    "a name is likely where a place has it, or one that begins so or is a letter off",
    arguments: [
      "Kyoto", "京都", "大阪市", "san franc", "Springfield, Illinois", "Springfield IL", "NRT", "Muenchen", "Kyotoo",
      "San Fransisco", "Philadephia", "Reykjavic", "Vancover", "Nara Japan", "Florida City", "Washington State",
      "Tokyo Narita Airport", "Машхад", "35.0,135.7", "9G8F+6X Zürich", "安提瓜", "Guaduloupe",
    ])
  func likely(text: String) throws { #expect(try kind(text) == .likely) }

  @Test(
    "a name is similar where a word of it is none of the place's, begins otherwise, or differs by much",
    arguments: [
      "富士山", "Eiffel Tower", "Letten", "Loch Ness", "Taj Mahal", "Mount Fuji", "Bremen Hauptbahnhof", "Mt. Rushmore",
      "Dartmouth, Massachusetts",
    ])
  func similar(text: String) throws { #expect(try kind(text) == .similar) }

  @Test("nothing is none; while a name is typed, its last word may be a letter")
  func others() throws {
    #expect(try kind("qqqqxyzzy") == .none)
    #expect(try kind("san f", isCompleting: true) == .likely)
  }
}
