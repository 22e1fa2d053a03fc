import GeoIndex
import Testing

@Suite("Completion")
struct PlaceCompletionTests {
  @Test("Typed text is answered in order, and the answers end.")
  func answers() async throws {
    let completion = PlaceCompletion(try WholeGazetteer.index(), limit: 5)
    var answers = completion.makeAsyncIterator()
    for text in ["k", "ky", "kyot"] {
      completion.type(text)
      let answer = try #require(try await answers.next())
      #expect(answer.text == text && answer.results.count == 5)
    }
    completion.finish()
    #expect(try await answers.next() == nil)
  }

  @Test("Overtaken text is not answered.")
  func overtaken() async throws {
    let completion = PlaceCompletion(try WholeGazetteer.index(), limit: 1)
    for text in ["p", "pa", "par", "paris"] { completion.type(text) }
    completion.finish()
    var texts: [String] = []
    for try await answer in completion { texts.append(answer.text) }
    #expect(texts == ["paris"])
  }
}
