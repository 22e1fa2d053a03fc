import Testing

@testable import GeoIndex

@Suite("The language that is wanted")
struct WantedLanguageTests {
  @Test(
    "may say a script, in which names of another one are not written",
    arguments: [
      ("sr-Latn", "Beograd", true), ("sr-Latn", "Београд", false), ("sr-Cyrl", "Београд", true),
      ("uz-Cyrl", "Toshkent", false), ("az-Arab", "Bakı", false), ("sr", "Београд", true), ("pt-BR", "Pequim", true),
    ])
  func script(tag: String, name: String, isWritten: Bool) {
    #expect(WantedLanguage(tag).isWritten(in: name) == isWritten)
  }

  @Test("is known by what ISO 639 called it before", arguments: [("no", "nb"), ("iw", "he"), ("in-ID", "id")])
  func former(tag: String, new: String) {
    #expect(WantedLanguage(tag).isForm(of: new[...]))
  }
}
