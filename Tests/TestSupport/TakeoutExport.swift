/// A folder of Google Takeout as its rules create it, with all difficulties of its names: numbers, cuts, edited copies,
/// halves of Live Photos, missing extensions, letters that file systems don't allow.
package struct TakeoutExport {
  /// A photo, and its JSON file.
  package struct Photo: Sendable {
    /// The photo's name.
    package let name: String
    /// The JSON file's name, or nil if it is missing.
    package var description: String?
  }

  /// A JSON file.
  package struct Description: Sendable {
    /// The JSON file's name.
    package let name: String
    /// The title in it.
    package let title: String
  }

  /// Photos, all with different names.
  package private(set) var photos: [Photo] = []
  /// JSON files, some of them about photos that are not here.
  package private(set) var descriptions: [Description] = []
  private var names: Set<String> = []
  private var descriptionNames: Set<String> = []
  private var random: SeededGenerator
  /// Whether JSON files are named `IMG.jpg.json`.
  private let isOld: Bool

  private static let edits = ["-edited", "-bearbeitet", "-modifié", "-ha editado", "-編集済み", "-bewerkt"]

  /// Creates at least `count` photos.
  package init(seed: UInt64, count: Int, isOld: Bool) {
    random = SeededGenerator(seed: seed)
    self.isOld = isOld
    while photos.count < count { addOne() }
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private func padded(_ number: Int, _ digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
  }

  private mutating func addOne() {
    let day = "2023\(padded(number(1..<13), 2))\(padded(number(1..<29), 2))"
    let time = "\(padded(number(0..<24), 2))\(padded(number(0..<60), 2))\(padded(number(0..<60), 2))"
    switch number(0..<14) {
    case 0, 1: add("IMG_\(day)_\(time).jpg", edited: number(0..<4) == 0)
    case 2: add("IMG_\(padded(number(0..<300), 4)).JPG", edited: number(0..<4) == 0)
    case 3: add("IMG_\(padded(number(0..<300), 4))." + ["HEIC", "PNG", "MP4", "JPG"][number(0..<4)])
    case 4: add("IMG_\(5_000 + number(0..<400)).HEIC", edited: number(0..<4) == 0, movie: ".MP4")
    case 5: add("PXL_\(day)_\(time)\(padded(number(0..<1_000), 3)).MP.jpg", movie: "")
    case 6: add("6F9619FF-8B86-D011-B42D-\(day)\(padded(number(0..<10_000), 4)).jpg", edited: number(0..<4) == 0)
    case 7:
      let app = [
        "com.google.android.apps.photos", "org.mozilla.firefox", "com.android.chrome.variation-of-a-long-name",
      ]
      add("Screenshot_\(day)-\(time)_\(app[number(0..<3)]).png", edited: number(0..<4) == 0)
    case 8: add("The summer we all spent together by the lake, number \(number(0..<60)) of many more.jpg")
    case 9: add("Geburtstag in Groß-Gerau \(number(0..<200)).jpg", edited: number(0..<4) == 0)
    case 10: add("家族と一緒に過ごした夏休みの思い出の写真をまとめて保存したものです\(number(0..<90)).jpg")
    case 11: add("What? A photo: \(number(0..<500)) & more.jpg")
    case 12: add("scan_\(number(0..<900))")
    default: add("download\(number(0..<500))(\(number(1..<9))).jpg")
    }
  }

  /// Adds a photo with its JSON file.
  /// - Parameter movie: The extension of a Live Photo's other half.
  private mutating func add(_ title: String, edited: Bool = false, movie: String? = nil) {
    let clean = String(title.map { "?:&<>\"|*/".contains($0) ? "_" : $0 })
    let point = clean.lastIndex(of: ".")
    let ending = point.map { String(clean[$0...]) } ?? ".jpg"
    let stem = String(clean[..<(point ?? clean.endIndex)].prefix(51 - ending.count))
    let count = (0..<10_000).first { count in !names.contains(stem + suffix(count) + ending) } ?? 0
    // Sometimes one of the two is in another part of the export.
    let fate = movie == nil && point != nil && ending != ".MP4" && !clean.hasPrefix("IMG_0") ? number(0..<50) : 2
    var description: String?
    if fate != 0 {
      let base = String(((point == nil ? clean : stem + ending) + (isOld ? "" : ".supplemental-metadata")).prefix(46))
      let own = ([count] + (0..<10_000)).first { !descriptionNames.contains(base + suffix($0)) } ?? 0
      description = base + suffix(own) + ".json"
      descriptionNames.insert(base + suffix(own))
      descriptions.append(Description(name: base + suffix(own) + ".json", title: title))
    }
    if fate != 1 { put(stem + suffix(count) + ending, description) }
    names.insert(stem + suffix(count) + ending)
    if let movie { put(stem + suffix(count) + movie, description) }
    if edited {
      let mark = TakeoutExport.edits[number(0..<TakeoutExport.edits.count)]
      // The cut removes the mark first.
      let copy = String((stem + mark).prefix(51 - ending.count))
      if copy != stem, fate > 1 || copy.hasSuffix(mark) { put(copy + suffix(count) + ending, description) }
    }
  }

  private func suffix(_ count: Int) -> String { count == 0 ? "" : "(\(count))" }

  private mutating func put(_ name: String, _ description: String?) {
    if names.insert(name).inserted { photos.append(Photo(name: name, description: description)) }
  }
}
