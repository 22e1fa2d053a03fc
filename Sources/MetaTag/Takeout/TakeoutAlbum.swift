/// The album that a folder of Google Takeout represents.
enum TakeoutAlbum {
  /// Returns the album's title from the folder's own JSON file (`metadata.json`), otherwise the folder's name. Returns
  /// nil for an empty title, as Google then made up the folder's name, and for folders that Google created: for a
  /// year's photos, for archived and for deleted ones. `taken` contains the times of the photos according to Google.
  static func name(title: String?, folder: String, taken: [Instant]) -> String? {
    // A keyword is a single line.
    let title = title.map { title in
      TakeoutTitle.plain(title).split { $0.isNewline || $0 == "\t" }.joined(separator: " ").trimmed
    }
    let name = title ?? folder.trimmed
    guard !isKnownYear(name), !ofGoogle.contains(name.lowercased()),
      title != nil || !isOfYear(name, taken)
    else { return nil }
    return try? PhotoField.keyword(parsing: String(name.prefix(200)))
  }

  /// Whether a folder without a title is no album only because of its photos' dates: a user may have chosen its name.
  static func isTakenForYear(folder: String, taken: [Instant]) -> Bool {
    isOfYear(folder.trimmed, taken) && !isKnownYear(folder.trimmed)
  }

  /// Whether the name is Google's name for a year's folder in a known language.
  private static func isKnownYear(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    let isYear = words.contains { $0.utf8.count == 4 && ("1800"..."2199").contains($0) && $0.allSatisfy(\.isNumber) }
    let rest = words.filter { $0.utf8.count != 4 || !$0.allSatisfy(\.isNumber) }.joined(separator: " ").lowercased()
    return isYear && years.contains(rest)
  }

  /// Whether the name contains one year and little else, and all photos are from that year. This covers Google's names
  /// in any language (`2016 年の写真`, `Valokuvat vuodelta 2016`).
  private static func isOfYear(_ name: String, _ taken: [Instant]) -> Bool {
    let numbers = name.split { !$0.isNumber }
    let words = name.split { $0.isNumber || $0 == " " }
    guard numbers.count == 1, numbers[0].utf8.count == 4, let year = Int(numbers[0]), (1900...2099).contains(year),
      (1...3).contains(words.count), !taken.isEmpty, let first = CivilTime(year: year, month: 1, day: 1),
      let next = CivilTime(year: year + 1, month: 1, day: 1)
    else { return false }
    // Accept the year in any zone.
    let (begin, end) = (
      first.secondsSince1970 - DateCheck.zones.upperBound, next.secondsSince1970 - DateCheck.zones.lowerBound
    )
    return taken.allSatisfy { (begin..<end).contains($0.seconds) }
  }

  /// "Photos from 2012" in the known languages of Google Photos, without the year.
  private static let years: Set = [
    "photos from", "fotos von", "fotos aus", "photos de", "fotos de", "fotos del", "foto del", "foto dal", "foto da",
    "foto's uit", "foto's van", "zdjęcia z", "bilder från", "bilder fra", "billeder fra", "kuvia vuodelta",
    "fotky z", "fotografie z", "фото за г.", "фотографии за г.",
  ]
  private static let ofGoogle: Set = [
    "archive", "archiv", "archives", "archivo", "archivio", "archief", "archiwum", "arkiv", "arkisto", "arquivo",
    "архив", "アーカイブ", "보관함", "归档", "封存",
    "trash", "bin", "papierkorb", "corbeille", "papelera", "cestino", "prullenbak", "kosz", "papperskorg", "papirkurv",
    "roskakori", "lixeira", "корзина", "ゴミ箱", "휴지통", "回收站", "垃圾桶",
    "locked folder", "gesperrter ordner", "dossier verrouillé", "cartella bloccata", "vergrendelde map",
    "carpeta privada",
    "failed videos", "google photos", "google fotos", "google foto", "takeout",
  ]
}
