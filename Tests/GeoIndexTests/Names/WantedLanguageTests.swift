import Testing

@testable import GeoIndex

@Suite("Requested language")
struct WantedLanguageTests {
  @Test(
    "A language may require a script, which excludes names in other scripts.",
    arguments: [
      ("sr-Latn", "Beograd", true), ("sr-Latn", "Београд", false), ("sr-Cyrl", "Београд", true),
      ("uz-Cyrl", "Toshkent", false), ("az-Arab", "Bakı", false), ("sr", "Београд", true), ("pt-BR", "Pequim", true),
    ])
  func script(tag: String, name: String, isWritten: Bool) {
    #expect(WantedLanguage(tag).isWritten(in: name) == isWritten)
  }

  @Test(
    "A language is recognised by its former ISO 639 code.", arguments: [("no", "nb"), ("iw", "he"), ("in-ID", "id")])
  func former(tag: String, new: String) {
    #expect(WantedLanguage(tag).isForm(of: new[...]))
  }
}
