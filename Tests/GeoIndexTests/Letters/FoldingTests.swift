import Testing

@testable import GeoIndex

@Suite("Folding")
struct FoldingTests {
  @Test(
    "Folding makes typed text and the gazetteer's names equal.",
    arguments: [
      ("Kyoto", "kyoto"), ("KYŌTO", "kyoto"), ("São Paulo", "saopaulo"), ("Sa\u{303}o Paulo", "saopaulo"),
      ("München", "munchen"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("Łódź", "lodz"),
      ("Ærøskøbing", "aeroskobing"),
      ("İstanbul", "istanbul"), ("Diyarbakır", "diyarbakir"), ("Đà Nẵng", "danang"), ("Tórshavn", "torshavn"),
      ("Saint-Denis", "saintdenis"), ("St. John's", "stjohns"), ("Kaʻaʻawa", "kaaawa"), ("Ｋｙｏｔｏ", "kyoto"),
      ("Αθήνα", "αθηνα"), ("ΑΘΗΝΑΣ", "αθηνασ"), ("Αθήνας", "αθηνασ"), ("Орёл", "орел"), ("Нижний", "нижнии"),
      ("القاهرة", "القاهره"), ("أسوان", "اسوان"), ("تهران", "تهران"), ("یزد", "يزد"), ("יְרוּשָׁלַיִם", "ירושלים"),
      ("上海", "上海"), ("しぶや", "シブヤ"), ("ｼﾌﾞﾔ", "シブヤ"), ("서울", "서울"), ("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}", "서울"),
      ("दिल्ली", "दिल्ली"),
      // Assamese and Bengali ra; Malayalam's chillus, old and new.
      ("ৰংপুৰ", "রংপুর"), ("ലണ്ടൻ", "ലണ്ടന്"), ("ലണ്ടന്\u{200D}", "ലണ്ടന്"),
      ("9th of July", "9thofjuly"), ("", ""), ("...", ""), ("🗻", ""),
    ])
  func keys(name: String, key: String) {
    var folding = Folding()
    #expect(folding.key(name) == key)
    #expect(folding.key(key) == key, "a key is its own key")
  }

  @Test(
    "Folding spells umlauts out.",
    arguments: [("München", "muenchen"), ("Århus", "aarhus"), ("Tromsø", "tromsoe"), ("Paris", nil)])
  func spellings(name: String, key: String?) {
    var folding = Folding()
    #expect(Folding.spelledOut(name.utf8).map { folding.key(String(decoding: $0, as: UTF8.self)) } == key)
  }

  @Test(
    "Folding finds where words begin.",
    arguments: [
      ("New York", [3]), ("Saint-Denis", [5]), ("Rio de Janeiro", [3, 5]), ("L'Aquila", [1]), ("Kaʻaʻawa", []),
      ("(Nova) Gorica", [4]), ("東京 都", [6]), ("Kyoto", []),
    ])
  func words(name: String, words: [Int]) {
    var (folding, key) = (Folding(), Folding.Key())
    folding.fold(name.utf8, into: &key)
    #expect(key.words == words)
  }

  @Test("Folding keeps different letters apart.", arguments: [("は", "ば"), ("कि", "की"), ("가", "나"), ("i", "l")])
  func distinct(a: String, b: String) {
    var folding = Folding()
    #expect(folding.key(a) != folding.key(b))
  }
}
