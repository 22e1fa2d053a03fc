/// The album that a folder of Google Takeout is.
enum TakeoutAlbum {
  /// Its title in its own JSON file (`metadata.json`), else the folder's name; nil for folders that Google made: of a year's
  /// photos, of archived and of deleted ones.
  static func name(title: String?, folder: String) -> String? {
    let name = (title?.trimmed).flatMap { $0.isEmpty ? nil : $0 } ?? folder.trimmed
    let words = name.split(separator: " ")
    let isYear = words.contains { $0.utf8.count == 4 && ("1800"..."2199").contains($0) && $0.allSatisfy(\.isNumber) }
    let rest = words.filter { $0.utf8.count != 4 || !$0.allSatisfy(\.isNumber) }.joined(separator: " ").lowercased()
    guard !(isYear && years.contains(rest)), !ofGoogle.contains(name.lowercased()) else { return nil }
    return try? PhotoField.keyword(parsing: String(name.prefix(200)))
  }

  /// "Photos from 2012" in the languages of Google Photos that we know, without the year.
  private static let years: Set = [
    "photos from", "fotos von", "fotos aus", "photos de", "fotos de", "fotos del", "foto del", "foto dal", "foto da",
    "foto's uit", "foto's van", "zdjęcia z", "bilder från", "bilder fra", "billeder fra", "kuvia vuodelta",
    "fotky z", "fotografie z", "фото за г.", "фотографии за г.",
  ]
  private static let ofGoogle: Set = [
    "archive", "archiv", "archives", "trash", "bin", "papierkorb", "corbeille", "papelera", "cestino", "locked folder",
    "failed videos", "google photos", "google fotos", "google foto", "takeout",
  ]
}
