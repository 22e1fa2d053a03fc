import Foundation

/// The parts of a name in a folder of Google Takeout. Names are bytes in UTF-8.
///
/// For `IMG.jpg`, Takeout writes the JSON file `IMG.jpg.supplemental-metadata.json`, or `IMG.jpg.json` in older
/// exports, and cuts the part before `.json` after 46 characters. If two files have the same title, the second gets a
/// number: `IMG(1).jpg`, with the JSON file's number after the cut: `IMG.jpg.supplemental-metadata(1).json`.
struct TakeoutName: Hashable {
  /// The part before the number or the file extension.
  var stem: [UInt8]
  /// The digits of the number in parentheses, from Takeout or from the title.
  var number: [UInt8]?
  /// The file extension with its dot; may be empty.
  var ending: [UInt8]

  init(_ name: [UInt8]) {
    let point = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    ending = Array(name[point...])
    (stem, number) = TakeoutName.numbered(Array(name[..<point])) ?? (Array(name[..<point]), nil)
  }

  /// Splits `IMG(1)` into `IMG` and `1`; returns nil for a name without such an end.
  static func numbered(_ name: [UInt8]) -> (stem: [UInt8], number: [UInt8])? {
    guard name.last == UInt8(ascii: ")"), let open = name.lastIndex(of: UInt8(ascii: "(")), open > 0 else { return nil }
    let digits = Array(name[(open + 1)..<(name.count - 1)])
    guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return (Array(name[..<open]), digits)
  }

  /// The possible names of the photo in the JSON file's name, with the number that follows each.
  var titles: [(title: [UInt8], number: [UInt8]?)] {
    guard let number else { return [(stem + ending, nil)] }
    return [(stem + ending, number), (stem + bracketed(number) + ending, nil)]
  }

  /// The stem with its number.
  var wholeStem: [UInt8] { stem + (number.map(bracketed) ?? []) }

  /// The names of JSON files with the photo's whole name, one for each reading of it and each cut of the mark.
  var wholeDescriptions: [[UInt8]] {
    titles.flatMap { title, number in
      (0...TakeoutName.mark.count).map { length in
        title + TakeoutName.mark.prefix(length) + (number.map(bracketed) ?? []) + Array(".json".utf8)
      }
    }
  }

  private func bracketed(_ digits: [UInt8]) -> [UInt8] { [UInt8(ascii: "(")] + digits + [UInt8(ascii: ")")] }

  /// Whether the file is a movie, such as phones store with a still.
  var isMovie: Bool {
    ["mov", "mp4", "m4v", "3gp", "mp"].contains(format)
  }

  private var format: String { ImageType.ending(String(decoding: ending.dropFirst(), as: UTF8.self)) }

  // MARK: The cut

  /// The mark before the JSON file's number; it may be cut anywhere.
  static let mark = Array(".supplemental-metadata".utf8)

  /// Whether a text has the length of a cut name: 46 characters. It is unknown which kind of characters Takeout counts,
  /// and older exports left a few more.
  static func isCut(_ text: some Collection<UInt8>) -> Bool {
    let scalars = text.count { $0 & 0xC0 != 0x80 }
    let units = scalars + text.count { $0 >= 0xF0 }
    return [text.count, scalars, units].contains { (44...51).contains($0) }
  }

  // MARK: Edited copies

  /// The suffixes that Google Photos adds to the names of edited copies, in the owner's language, and of pictures that
  /// it created itself.
  private static let edits = [
    "-edited", "-bearbeitet", "-modifié", "-modifie\u{301}", "-modifiÉ", "-editado", "-ha editado", "-editada",
    "-modificato", "-bewerkt", "-edytowane", "-editat", "-redigerad", "-redigeret", "-redigert", "-muokattu",
    "-upraveno", "-編集済み", "-已修改", "-已编辑", "-已編輯", "-수정됨", "-измененный", "-effects", "-smile", "-mix", "-animation",
    "-collage", "-motion",
  ].map { Array($0.utf8) }

  /// The stem without the mark of an edited copy; nil if it has none.
  var originalStem: [UInt8]? {
    let lower = stem.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return TakeoutName.edits.first { lower.count > $0.count && lower.suffix($0.count).elementsEqual($0) }
      .map { Array(stem.dropLast($0.count)) }
  }

  /// The possible stems of the original, if cutting a long name left only a part of the mark of an edited copy.
  var possibleOriginalStems: [[UInt8]] {
    guard TakeoutName.isCut(stem), let dash = stem.lastIndex(of: UInt8(ascii: "-")), dash > 0,
      TakeoutName.edits.contains(where: { $0.starts(with: stem[dash...]) })
    else { return [] }
    return [Array(stem[..<dash])]
  }

  /// Returns the name with another stem.
  func with(stem: [UInt8]) -> TakeoutName {
    var other = self
    other.stem = stem
    return other
  }
}

/// The title that a JSON file of Takeout has for its photo; decides whether a file's name can come from it. Takeout
/// writes `_` for characters that some file systems don't support, and doesn't document which these are.
struct TakeoutTitle: Hashable, Sendable {
  private let letters: [Unicode.Scalar]

  private static let entities = [
    ("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
  ]

  /// Decodes HTML entities, which some titles contain: `Tom &amp; Jerry&#39;s.jpg`.
  static func plain(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// Creates a title; returns nil for an empty text.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    letters = TakeoutTitle.letters(of: TakeoutTitle.plain(text))
  }

  /// Whether a file with this title can have the name.
  func isOf(_ name: [UInt8]) -> Bool {
    let name = TakeoutTitle.letters(of: String(decoding: name, as: UTF8.self))
    return name.count == letters.count && zip(letters, name).allSatisfy(TakeoutTitle.canBecome)
  }

  /// Whether a name that begins with `stem`, was cut after it, and got `ending`, can come from this title.
  func begins(as stem: [UInt8], ending: [UInt8]) -> Bool {
    let stem = TakeoutTitle.letters(of: String(decoding: stem, as: UTF8.self))
    let ending = TakeoutTitle.letters(of: String(decoding: ending, as: UTF8.self))
    return letters.count >= stem.count + ending.count && zip(letters, stem).allSatisfy(TakeoutTitle.canBecome)
      && zip(letters.suffix(ending.count), ending).allSatisfy(TakeoutTitle.canBecome)
  }

  /// Returns a file's name with its accents in the form that `letters` uses.
  static func composed(_ name: [UInt8]) -> [UInt8] {
    guard name.contains(where: { $0 >= 0x80 }), let text = String(validating: name, as: UTF8.self) else { return name }
    return Array(text.precomposedStringWithCanonicalMapping.utf8)
  }

  /// Returns the letters in one normal form: file systems have others for accents.
  private static func letters(of text: String) -> [Unicode.Scalar] {
    Array(text.precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  private static func canBecome(_ letter: Unicode.Scalar, _ written: Unicode.Scalar) -> Bool {
    letter == written || written == "_" && !(letter.properties.isAlphabetic || ("0"..."9").contains(letter))
  }
}

/// Assigns the JSON files in a folder of Google Takeout to its photos, by their names and by the titles in them. The
/// result depends only on these, and is certain or absent.
///
/// The numbers in both names must be equal. Then matches by a greater part of the name go first: the photo's whole
/// name; its name with a cut or missing file extension; the part that the cut at 46 characters left; its name with the
/// file extension of another format. An edited copy gets the JSON file of its original, a movie without its own that of
/// the still with the same name. A photo with two candidates gets none.
struct TakeoutNames {
  /// A JSON file.
  struct Description {
    var name: [UInt8]
    /// The title in the file: the photo's name before Takeout replaced characters that file systems don't support.
    var title: TakeoutTitle?
    /// The value that is equal in all JSON files about one photo: its address in Google Photos.
    var identity: String?
  }

  /// For each photo, the index of its JSON file, or the reason for its absence.
  let matches: [Result<Int, TakeoutFailure>]
  /// The JSON files that belong to no photo.
  let orphans: [Int]

  init(photos: [[UInt8]], descriptions: [Description]) {
    let (photos, descriptions) = TakeoutNames.inOneSpelling(photos, descriptions)
    var matching = TakeoutMatching(photos, descriptions)
    matching.matchWholeNames()
    matching.matchCutNames()
    matching.matchMovies()
    matching.matchEdited()
    matches = matching.found.map { $0 ?? .failure(.noDescription) }
    let used = Set(matches.compactMap { try? $0.get() })
    orphans = descriptions.indices.filter { !used.contains($0) }
  }

  /// Returns the names with accents in one normal form, as unpacking may change them; returns the names unchanged if
  /// two would become equal.
  private static func inOneSpelling(
    _ photos: [[UInt8]], _ descriptions: [Description]
  ) -> ([[UInt8]], [Description]) {
    let names = photos.map(TakeoutTitle.composed)
    let others = descriptions.map { description in
      var description = description
      description.name = TakeoutTitle.composed(description.name)
      return description
    }
    guard Set(names).count == Set(photos).count,
      Set(others.map(\.name)).count == Set(descriptions.map(\.name)).count
    else { return (photos, descriptions) }
    return (names, others)
  }
}
