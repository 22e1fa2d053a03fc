import Testing

@testable import GeoIndex

@Suite("Query interpretation")
struct QueryInterpretationTests {
  @Test(
    "A query is read as a name and its areas.",
    arguments: [
      ("Kyoto", ["Kyoto"]), ("Paris, Texas", ["Paris, Texas", "Paris < Texas", "Texas < Paris"]),
      (
        "Springfield, IL, USA",
        ["Springfield, IL, USA", "Springfield < IL < USA", "USA < Springfield < IL"]
      ),
      (
        "Springfield IL USA",
        [
          "Springfield IL USA", "Springfield IL < USA", "Springfield < IL USA", "Springfield < IL < USA",
          "IL USA < Springfield", "USA < Springfield IL",
        ]
      ),
      ("京都、日本", ["京都、日本", "京都 < 日本", "日本 < 京都"]), ("日本京都", ["日本京都", "京都 < 日本"]), ("日本橋", ["日本橋"]),
      ("Iowa City", ["Iowa City", "Iowa < City"]), (",Paris,", [",Paris,"]),
      (
        "Springfield, IL 62701",
        [
          "Springfield, IL 62701", "Springfield < IL 62701", "IL 62701 < Springfield", "Springfield < IL",
          "IL < Springfield",
        ]
      ),
      ("Springfield 62701", ["Springfield 62701", "Springfield < 62701", "62701 < Springfield"]),
    ])
  func readings(text: String, expected: [String]) {
    #expect(QueryInterpretation.all(of: text).map { ([$0.name] + $0.within).joined(separator: " < ") } == expected)
  }

  @Test("A query longer than any name is not read.")
  func endless() {
    #expect(QueryInterpretation.all(of: String(repeating: "a b ", count: 100_000)).isEmpty)
  }
}
