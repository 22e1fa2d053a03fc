import Testing

@testable import GeoIndex

@Suite("What was typed")
struct ReadingTests {
  @Test(
    "can be read as a name and where it lies",
    arguments: [
      ("Kyoto", ["kyoto"]), ("Paris, Texas", ["paristexas", "paris < texas"]),
      ("Springfield, IL, USA", ["springfieldilusa", "springfield < il < usa"]),
      ("San José CA", ["sanjoseca", "sanjose < ca", "san < joseca"]), ("京都、日本", ["京都日本", "京都 < 日本"]),
      (" , ", []), ("", []), (",Paris,", ["paris"]),
    ])
  func readings(text: String, expected: [String]) {
    #expect(Reading.all(of: text).map { ([$0.name] + $0.within).joined(separator: " < ") } == expected)
  }

  @Test("is not read when no name is that long")
  func endless() {
    #expect(Reading.all(of: String(repeating: "a b ", count: 100_000)).isEmpty)
  }
}
