import GeoIndex
import Testing

@Suite("A name that must mean one place")
struct ResolveTests {
  let index: GeoIndex

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "is clear when one outshines the others",
    arguments: [
      ("Kyoto", 1_857_910), ("京都", 1_857_910), ("Paris", 2_988_507), ("Paris, Texas", 4_717_560),
      ("London", 2_643_743), ("Rome", 3_169_070), ("Shanghai", 1_796_236), ("new york", 5_128_581),
      ("Springfield, Illinois", 4_250_542), ("muenchen", 2_867_714),
    ])
  func clear(text: String, id: Int64) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.id == id)
  }

  @Test("is ambiguous when none does", arguments: ["Springfield", "Birmingham", "Valencia", "San José"])
  func ambiguous(text: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not ambiguous")
      return
    }
    #expect((2...20).contains(places.count))
  }

  @Test("that no place bears is never guessed; what begins so is suggested")
  func unknown() throws {
    guard case .none(let suggestions) = try index.resolve("Kyot") else {
      Issue.record("Kyot is a place")
      return
    }
    #expect(suggestions.first?.name == "Kyoto")
    #expect(try index.resolve("qqqqxyz") == .none(suggestions: []))
    #expect(try index.resolve("") == .none(suggestions: []))
  }
}
