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
