import Testing

@testable import MetaTag

@Suite("Albums of Google Takeout")
struct TakeoutAlbumTests {
  /// The middle of 2016, and the evening before it in UTC.
  private static let taken = [Instant(seconds: 1_467_000_000), Instant(seconds: 1_451_606_400 - 36_000)]

  @Test(
    "A folder of a year, of archived or of deleted photos is not an album in any language.",
    arguments: [
      "Photos from 2016", "2016 年の写真", "2016 年的照片", "2016년의 사진", "Fotografías de 2016", "Valokuvat vuodelta 2016",
      "ゴミ箱", "アーカイブ", "Archivo", "Gesperrter Ordner",
      "Foton från 2016", "Fotky z roku 2016", "Fotografii din 2016", "Фото за 2016", "Фотографии за 2016 год",
      "2016 fotoğrafları", "Fotografies del 2016", "Φωτογραφίες από το 2016", "Foto dari 2016", "صور من 2016",
      "תמונות מ-2016", "รูปภาพจากปี 2016", "Carpeta privada",
    ])
  func ofGoogle(folder: String) {
    #expect(TakeoutAlbum.name(title: nil, folder: folder, taken: Self.taken) == nil)
  }

  @Test("A folder that is taken for a year's only because of its photos' dates is reported.")
  func takenForYears() {
    for (folder, isReported) in [
      ("Paris 2016", true), ("Foton från 2016", true), ("Photos from 2016", false), ("Paris 2015", false),
      ("Archivo", false),
    ] {
      #expect(TakeoutAlbum.isTakenForYear(folder: folder, taken: Self.taken) == isReported, "\(folder)")
    }
  }

  @Test("An album has a title, photos of another year, or a name with more than a year.")
  func albums() {
    #expect(TakeoutAlbum.name(title: "Hawaii 2016", folder: "x", taken: Self.taken) == "Hawaii 2016")
    #expect(TakeoutAlbum.name(title: " ", folder: "Untitled(3)", taken: Self.taken) == nil)
    #expect(TakeoutAlbum.name(title: "Rom &amp;\nParis", folder: "x", taken: Self.taken) == "Rom & Paris")
    let early = [Instant(seconds: 1_400_000_000)]
    #expect(TakeoutAlbum.name(title: nil, folder: "Hawaii 2016", taken: early + Self.taken) == "Hawaii 2016")
    #expect(TakeoutAlbum.name(title: nil, folder: "Hawaii 2016", taken: []) == "Hawaii 2016")
    for folder in ["Hawaii", "2016", "Hawaii 2015-2016", "Our great trip to Hawaii 2016", "Flug 1234"] {
      #expect(TakeoutAlbum.name(title: nil, folder: folder, taken: Self.taken) == folder)
    }
  }
}
