/// The album that a folder of Google Takeout is.
enum TakeoutAlbum {
  /// Its title in its own JSON file (`metadata.json`), else, where there is none, the folder's name; nil for an empty
  /// title, as nobody called it then as Google calls the folder, and for folders that Google made: of a year's photos,
  /// of archived and of deleted ones. `taken` is when its photos were, says Google.
  static func name(title: String?, folder: String, taken: [Instant]) -> String? {
    // A keyword is one line.
    let title = title.map { title in
      TakeoutTitle.plain(title).split { $0.isNewline || $0 == "\t" }.joined(separator: " ").trimmed
    }
    let name = title ?? folder.trimmed
    guard !isKnownYear(name), !ofGoogle.contains(name.lowercased()),
      title != nil || !isOfYear(name, taken)
    else { return nil }
    return try? PhotoField.keyword(parsing: String(name.prefix(200)))
  }

  /// Whether a folder that has no title is no album for its photos' dates alone: somebody may have called it so.
  static func isTakenForYear(folder: String, taken: [Instant]) -> Bool {
    isOfYear(folder.trimmed, taken) && !isKnownYear(folder.trimmed)
  }

  /// Whether Google calls a year's folder so in a language that we know.
  private static func isKnownYear(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    let isYear = words.contains { $0.utf8.count == 4 && ("1800"..."2199").contains($0) && $0.allSatisfy(\.isNumber) }
    let rest = words.filter { $0.utf8.count != 4 || !$0.allSatisfy(\.isNumber) }.joined(separator: " ").lowercased()
    return isYear && years.contains(rest)
  }

  /// Whether a folder that has no title is called after one year and little else, and all its photos are of that: in
  /// whatever language Google calls it so (`2016 年の写真`, `Valokuvat vuodelta 2016`).
  private static func isOfYear(_ name: String, _ taken: [Instant]) -> Bool {
    let numbers = name.split { !$0.isNumber }
    let words = name.split { $0.isNumber || $0 == " " }
    guard numbers.count == 1, numbers[0].utf8.count == 4, let year = Int(numbers[0]), (1900...2099).contains(year),
      (1...3).contains(words.count), !taken.isEmpty, let first = CivilTime(year: year, month: 1, day: 1),
      let next = CivilTime(year: year + 1, month: 1, day: 1)
    else { return false }
    // In some zone.
    let (begin, end) = (
      first.secondsSince1970 - DateCheck.zones.upperBound, next.secondsSince1970 - DateCheck.zones.lowerBound
    )
    return taken.allSatisfy { (begin..<end).contains($0.seconds) }
  }

  /// "Photos from 2012" in the languages of Google Photos that we know, without the year.
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
