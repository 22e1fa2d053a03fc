import GeoIndex
import Testing

@Suite("Incomplete names")
struct BegunNameTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "A name that begins with the text comes before others that end or sound like it.",
    arguments: [
      ("los ang", "Los Angeles"), ("san fr", "San Francisco"), ("köl", "Köln"), ("名古", "Nagoya"),
      ("ニュー", "New York City"),
    ])
  func first(text: String, name: String) throws {
    #expect(try index.search(text, limit: 1).map(\.name) == [name])
  }

  @Test(
    "A name that begins with one character is among the first.",
    arguments: [("大", "Osaka"), ("福", "Fukuoka"), ("東", "Tokyo"), ("名", "Nagoya"), ("北", "Beijing")])
  func characters(text: String, name: String) throws {
    #expect(try index.search(text, isCompleting: true, limit: 10).contains { $0.name == name })
    for isCompleting in [false, true] {
      let found = try index.search(text, isCompleting: isCompleting, limit: 10)
      #expect(!found.contains { ["波哥大", "加拿大", "法兰克福", "上海浦东", "台北"].contains($0.place.matchedName) })
    }
  }

  @Test(
    "Names that contain the text inside are found too.",
    arguments: [("田谷", "世田谷"), ("兰克福", "法兰克福")])
  func inside(text: String, name: String) throws {
    #expect(try index.search(text, limit: 20).contains { $0.place.matchedName.contains(name) })
  }
}
