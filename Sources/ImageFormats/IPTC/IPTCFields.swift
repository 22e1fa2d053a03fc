/// Title, keywords, author, copyright and description in IPTC IIM.
extension IPTCData {
  static func dataset(of field: PhotoField) -> IPTCTexts.Field? {
    switch field {
    case .title: IPTCTexts.Field(number: 0x0205, name: "ObjectName", limit: 64)
    case .keywords: IPTCTexts.Field(number: 0x0219, name: "Keywords", limit: 64)
    case .artist: IPTCTexts.Field(number: 0x0250, name: "By-line", limit: 32)
    case .copyright: IPTCTexts.Field(number: 0x0274, name: "CopyrightNotice", limit: 128)
    case .description: IPTCTexts.Field(number: 0x0278, name: "Caption", limit: 2_000)
    default: nil
    }
  }

  /// Returns the datasets for the fields of `edit`; nil when IIM has none of them.
  package func texts(_ edit: MetadataEdit) -> IPTCTexts? {
    let texts = PhotoField.allCases.compactMap { field -> (field: IPTCTexts.Field, texts: [String])? in
      guard let change = edit.fields[field], let dataset = IPTCData.dataset(of: field) else { return nil }
      switch change.value {
      case .text(let text)? where field == .artist: return (dataset, text.split(separator: "; ").map(String.init))
      case .text(let text)?: return (dataset, [text])
      case .list(let texts)?: return (dataset, texts)
      default: return (dataset, [])
      }
    }
    let isInXMP = edit.fields.keys.contains { $0.tag == nil }
    return texts.isEmpty ? nil : IPTCTexts(texts, in: self, whole: isInXMP ? "XMP" : "EXIF")
  }

  /// Adds the block's fields to `metadata`.
  func readFields(into metadata: inout Metadata) {
    for field in PhotoField.allCases {
      guard let dataset = IPTCData.dataset(of: field) else { continue }
      let texts = all(dataset.number).map { String(text($0).prefix { $0 != "\0" }.trimmingBlanks) }
        .filter { !$0.isEmpty }
      guard !texts.isEmpty else { continue }
      let value: TagValue = field == .keywords ? .list(texts) : .text(texts.joined(separator: "; "))
      metadata.fields.append(Sourced(RecordedField(field, value), .iptc, tag: dataset.name))
    }
  }
}

extension IPTCTexts {
  private typealias Number = IPTCData.Number

  /// Creates the names of a place as IIM datasets.
  package init(_ names: PlaceNames, in data: IPTCData) {
    let texts: [(Field, String?)] = [
      (Field(number: Number.city, name: "City", limit: 32), names.city),
      (Field(number: Number.sublocation, name: "Sub-location", limit: 32), names.sublocation),
      (Field(number: Number.state, name: "Province-State", limit: 32), names.state),
      (
        Field(number: Number.countryCode, name: "Country code", limit: 3),
        names.countryCode.flatMap(CountryLetters.three)
      ),
      (Field(number: Number.country, name: "Country", limit: 64), names.country),
    ]
    let stale = data.hasContentLocation(besides: names)
    let contents = stale ? [Field.contentLocationCode, .contentLocationName].map { ($0, nil as String?) } : []
    self.init((texts + contents).map { ($0, $1.map { [$0] } ?? []) }, in: data, whole: "XMP")
    if stale { note(.removed(["IPTC ContentLocation"])) }
  }
}

extension IPTCTexts.Field {
  fileprivate static let contentLocationCode = Self(
    number: IPTCData.Number.contentLocationCode, name: "Content location code", limit: 3)
  fileprivate static let contentLocationName = Self(
    number: IPTCData.Number.contentLocationName, name: "Content location name", limit: 64)
}

extension IPTCData {
  /// Whether the block names places as its subject (IIM 4.2, 2:26 and 2:27), and one of them isn't in `names`.
  fileprivate func hasContentLocation(besides names: PlaceNames) -> Bool {
    let known = [names.sublocation, names.city, names.state, names.country].compactMap(\.self)
    let code = names.countryCode.flatMap(CountryLetters.three)
    return all(Number.contentLocationName).contains { !known.contains(text($0)) }
      || all(Number.contentLocationCode).contains { text($0) != code }
  }
}

/// Texts as IIM datasets, encoded and cut to the permitted length.
package struct IPTCTexts {
  /// A text dataset and its greatest length in bytes (IIM 4.2).
  package struct Field {
    package let number: UInt16
    package let name: String
    package let limit: Int

    package init(number: UInt16, name: String, limit: Int) {
      self.number = number
      self.name = name
      self.limit = limit
    }
  }

  /// The new contents of the datasets, in ascending order; an empty list removes the dataset.
  package private(set) var values: [(number: UInt16, values: [[UInt8]])] = []
  /// Whether the block must declare UTF-8 from now on.
  private(set) var declaresUTF8 = false
  /// Notes on texts that could not be written unchanged.
  package private(set) var notes: [Note] = []

  private enum Encoding { case utf8, latin1 }

  /// Encodes the texts. A block that isn't UTF-8 is read as Latin-1. It becomes UTF-8 if all of its other texts are
  /// ASCII, which both encodings share; else it stays Latin-1, and a text that Latin-1 can't encode is omitted. UTF-8
  /// is declared if it wasn't.
  /// - Parameter whole: The block with the complete texts, for the notes: `XMP`.
  package init(_ texts: [(field: Field, texts: [String])], in data: IPTCData, whole: String) {
    let isASCII = texts.allSatisfy { $0.texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } }
    declaresUTF8 = !isASCII && (data.isUTF8 ? !data.declaresCharacters : data.isASCII)
    let encoding = data.isUTF8 || declaresUTF8 ? Encoding.utf8 : .latin1
    for (field, texts) in texts.sorted(by: { $0.field.number < $1.field.number }) {
      let encoded = texts.map { IPTCTexts.encoded($0, encoding, limit: field.limit) }
      values.append((field.number, encoded.compactMap { $0?.bytes }))
      if encoded.contains(where: { $0 == nil }) {
        notes.append(Note(.textCut, "\(field.name) can't be encoded in IPTC (Latin-1); \(whole) has it"))
      }
      if encoded.contains(where: { $0?.isCut == true }) {
        notes.append(
          Note(.textCut, "\(field.name) is truncated to \(field.limit) bytes in IPTC; \(whole) has all of it"))
      }
    }
  }

  package mutating func note(_ note: Note) { notes.append(note) }

  /// Returns as many whole characters as fit; nil when the encoding lacks one.
  private static func encoded(
    _ text: String, _ encoding: Encoding, limit: Int
  ) -> (bytes: [UInt8], isCut: Bool)? {
    var bytes: [UInt8] = []
    for character in text {
      let next: [UInt8]
      switch encoding {
      case .utf8: next = Array(character.utf8)
      case .latin1:
        next = character.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        guard next.count == character.unicodeScalars.count else { return nil }
      }
      guard bytes.count + next.count <= limit else { return (bytes, true) }
      bytes += next
    }
    return (bytes, false)
  }
}

extension IPTCData {
  /// Whether all texts are ASCII. Datasets without text don't count.
  package var isASCII: Bool {
    datasets.allSatisfy { dataset in
      Number.binary.contains(dataset.number) || dataset.number == Number.characterSet
        || (try? bytes.bytes(dataset.value).array.allSatisfy { $0 < 0x80 }) ?? false
    }
  }

  /// Returns the splices that set these texts; insertions come first.
  package func splices(_ texts: IPTCTexts) -> [Splice] {
    var insertions: [Splice] = []
    var changes: [Splice] = []
    var values = texts.values
    if texts.declaresUTF8 { values.insert((Number.characterSet, [[0x1B, 0x25, 0x47]]), at: 0) }
    for (number, new) in values {
      let old = all(number)
      guard old.map({ (try? bytes.bytes($0.value).array) ?? [] }) != new else { continue }
      let datasets = new.flatMap { value -> [UInt8] in
        [0x1C] + number.bytes(.big) + UInt16(clamping: value.count).bytes(.big) + value
      }
      if let first = old.first {
        changes.append(Splice(first.range, datasets))
        changes += old.dropFirst().map { Splice($0.range, []) }
      } else {
        let next = self.datasets.first { $0.number > number }?.range.lowerBound
        let place = next ?? self.datasets.last?.range.upperBound ?? 0
        insertions.append(Splice(place..<place, datasets))
      }
    }
    return insertions + changes
  }
}
