import GeoIndex
import Testing

@Suite("Completion")
struct PlaceCompletionTests {
  @Test("Typed text is answered in order, and the answers end.")
  func answers() async throws {
    var query = PlaceQuery("")
    query.limit = 5
    let completion = PlaceCompletion(try WholeGazetteer.index(), query)
    var answers = completion.makeAsyncIterator()
    for text in ["k", "ky", "kyot"] {
      completion.type(text)
      let answer = try #require(await answers.next())
      #expect(answer.text == text && answer.results.count == 5)
    }
    completion.finish()
    #expect(await answers.next() == nil)
  }

  @Test("Overtaken text is not answered.")
  func overtaken() async throws {
    let completion = PlaceCompletion(try WholeGazetteer.index())
    for text in ["p", "pa", "par", "paris"] { completion.type(text) }
    completion.finish()
    var texts: [String] = []
    for await answer in completion { texts.append(answer.text) }
    #expect(texts == ["paris"])
  }

  @Test("A completion keeps to kinds and countries, and goes on after an error.")
  func limits() async throws {
    var query = PlaceQuery("")
    (query.kinds, query.countries) = ([.museum], ["FR"])
    let completion = PlaceCompletion(try WholeGazetteer.index(), query)
    var answers = completion.makeAsyncIterator()
    completion.type("louv")
    let answer = try #require(await answers.next())
    let first = try #require(answer.results.first)
    #expect(first.name == "Louvre" && first.subtitle == "Île-de-France, France" && answer.error == nil)
    let range = try #require(first.matchedRanges(of: "louv").first)
    #expect(first.place.matchedName[range] == "Louv")

    query.countries = ["Nowhere"]
    let failing = PlaceCompletion(try WholeGazetteer.index(), query)
    var others = failing.makeAsyncIterator()
    for text in ["louv", "louvre"] {
      failing.type(text)
      let answer = try #require(await others.next())
      #expect(answer.error?.code == .unknownCountry && answer.results.isEmpty)
    }
  }
}
