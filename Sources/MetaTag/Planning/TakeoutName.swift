/// A name in a folder of Google Takeout, taken apart. Names are bytes in UTF-8.
///
/// Takeout writes beside `IMG.jpg` the JSON file `IMG.jpg.supplemental-metadata.json`, or `IMG.jpg.json` in older
/// exports, and cuts what stands before `.json` behind 46 characters. Of files that have the same title, it numbers the
/// second `IMG(1).jpg`, and the JSON file behind the cut: `IMG.jpg.supplemental-metadata(1).json`.
struct TakeoutName: Hashable {
  /// Up to the number or the ending.
  var stem: [UInt8]
  /// The digits of the number in brackets, which Takeout, or the title, put there.
  var number: [UInt8]?
  /// With its point; empty when there is none.
  var ending: [UInt8]

  init(_ name: [UInt8]) {
    let point = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    ending = Array(name[point...])
    (stem, number) = TakeoutName.numbered(Array(name[..<point])) ?? (Array(name[..<point]), nil)
  }

  /// `IMG(1)` as `IMG` and `1`; nil for what doesn't end so.
  static func numbered(_ name: [UInt8]) -> (stem: [UInt8], number: [UInt8])? {
    guard name.last == UInt8(ascii: ")"), let open = name.lastIndex(of: UInt8(ascii: "(")), open > 0 else { return nil }
    let digits = Array(name[(open + 1)..<(name.count - 1)])
    guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return (Array(name[..<open]), digits)
  }

  /// What the photo can be called in the JSON file's name, and the number that then stands behind it.
  var titles: [(title: [UInt8], number: [UInt8]?)] {
    guard let number else { return [(stem + ending, nil)] }
    return [(stem + ending, number), (stem + bracketed(number) + ending, nil)]
  }

  /// The whole stem, number and all.
  var wholeStem: [UInt8] { stem + (number.map(bracketed) ?? []) }

  /// What the JSON files are called that have the photo's whole name, one for each reading of it and each cut of the
  /// mark.
  var wholeDescriptions: [[UInt8]] {
    titles.flatMap { title, number in
      (0...TakeoutName.mark.count).map { length in
        title + TakeoutName.mark.prefix(length) + (number.map(bracketed) ?? []) + Array(".json".utf8)
      }
    }
  }

  private func bracketed(_ digits: [UInt8]) -> [UInt8] { [UInt8(ascii: "(")] + digits + [UInt8(ascii: ")")] }

  /// Whether it is a movie's, such as phones keep beside a still.
  var isMovie: Bool {
    ["mov", "mp4", "m4v", "3gp", "mp"].contains(format)
  }

  private var format: String { ImageType.ending(String(decoding: ending.dropFirst(), as: UTF8.self)) }

  // MARK: The cut

  /// Behind this mark, cut anywhere, the JSON file's number stands.
  static let mark = Array(".supplemental-metadata".utf8)

  /// Whether a text is as long as the cut leaves one: 46 characters; nobody knows which sort of characters Takeout
  /// counts, and older exports left some more.
  static func isCut(_ text: some Collection<UInt8>) -> Bool {
    let scalars = text.count { $0 & 0xC0 != 0x80 }
    let units = scalars + text.count { $0 >= 0xF0 }
    return [text.count, scalars, units].contains { (44...51).contains($0) }
  }

  // MARK: Edited copies

  /// What Google Photos puts behind the name of an edited copy, in the language of its owner, and behind what it made
  /// itself.
  private static let edits = [
    "-edited", "-bearbeitet", "-modifié", "-modifie\u{301}", "-modifiÉ", "-editado", "-ha editado", "-editada",
    "-modificato", "-bewerkt", "-edytowane", "-editat", "-redigerad", "-redigeret", "-redigert", "-muokattu",
    "-upraveno", "-編集済み", "-已修改", "-已编辑", "-已編輯", "-수정됨", "-измененный", "-effects", "-smile", "-mix", "-animation",
    "-collage", "-motion",
  ].map { Array($0.utf8) }

  /// The stem without the mark of an edited copy; nil when it has none.
  var originalStem: [UInt8]? {
    let lower = stem.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return TakeoutName.edits.first { lower.count > $0.count && lower.suffix($0.count).elementsEqual($0) }
      .map { Array(stem.dropLast($0.count)) }
  }

  /// The stems that it may have had before a mark was added that the cut of long names left a part of.
  var possibleOriginalStems: [[UInt8]] {
    guard TakeoutName.isCut(stem), let dash = stem.lastIndex(of: UInt8(ascii: "-")), dash > 0,
      TakeoutName.edits.contains(where: { $0.starts(with: stem[dash...]) })
    else { return [] }
    return [Array(stem[..<dash])]
  }

  /// The same name with another stem.
  func with(stem: [UInt8]) -> TakeoutName {
    var other = self
    other.stem = stem
    return other
  }
}
