import Glibc

/// Reading and writing of photo fields and other named tags in EXIF.
extension EXIF {
  /// Adds the fields that the block has to `metadata`.
  static func readFields(of block: TIFFBlock, into metadata: inout Metadata) {
    for field in PhotoField.allCases {
      guard let tag = field.tag, let value = value(of: field, tag, in: block) else { continue }
      metadata.fields.append(Sourced(RecordedField(field, value), .exif, tag: tag.name))
    }
    readWindowsFields(of: block, into: &metadata)
  }

  /// Returns the field's value, whatever type its writer chose; nil when it is absent or unreadable. A sensitivity of 0
  /// counts as absent: cameras write it when they don't know the value.
  private static func value(of field: PhotoField, _ tag: EXIFTag, in block: TIFFBlock) -> TagValue? {
    guard let value = value(of: tag, in: block), field != .iso || value != .whole([0]) else { return nil }
    // Values too large for a SHORT are in other tags, by kind (EXIF 3.0, 4.6.5, SensitivityType).
    if field == .iso, value == .whole([65_535]) {
      let others: [EXIFTag] = [.recommendedExposureIndex, .standardOutputSensitivity, .isoSpeed]
      return others.lazy.compactMap { self.value(of: $0, in: block) }.first ?? value
    }
    return value
  }

  /// Returns a tag's value; nil when it is absent or unreadable.
  package static func value(of tag: EXIFTag, in block: TIFFBlock) -> TagValue? {
    guard let entry = block.directory(tag.ifd)?[tag.number] else { return nil }
    switch tag.kind {
    case .ascii: return block.text(of: tag.number, in: tag.ifd).map { .text($0) }
    case .short, .long:
      guard (1...64).contains(entry.count) else { return nil }
      let numbers = block.integers(of: entry)
      return numbers.isEmpty ? nil : .whole(numbers)
    case .rational, .signedRational: return block.exactFractions(of: entry).map { .fractions($0) }
    case .comment: return block.raw(entry).flatMap { comment($0, block.order) }.map { .text($0) }
    case .code: return entry.count == 1 ? block.raw(entry)?.array.first.map { .whole([Int($0)]) } : nil
    }
  }

  /// Sets and removes the fields and tags of `edit`. Tags with the right value stay untouched.
  static func setFields(_ edit: MetadataEdit, in block: TIFFBlock?, _ changes: inout TIFFChanges) {
    setWindowsFields(edit, in: block, &changes)
    for (field, change) in edit.fields {
      guard let tag = field.tag,
        change.value != block.flatMap({ value(of: field, tag, in: $0) }) || change == .remove
      else { continue }
      put(change, tag, in: block, &changes)
      if field == .iso { putSensitivity(change, in: block, &changes) }
    }
    // Compares with f-number and time themselves, even if these don't change: a photo may have only the APEX copies.
    for (field, copy) in [(PhotoField.aperture, EXIFTag.apertureValue), (.shutter, .shutterSpeedValue)] {
      guard let change = edit.fields[field], let block, block.directory(copy.ifd)?[copy.number] != nil else { continue }
      if let apex = field.apex(of: change.value), let old = block.fractions(of: copy.number, in: copy.ifd).first ?? nil,
        abs(apex.value - old) <= PhotoField.apexTolerance
      {
        continue
      }
      put(field.apex(of: change.value).map { .set(.fractions([$0])) } ?? .remove, copy, in: block, &changes)
    }
    // Windows shows the copy in percent.
    if let change = edit.fields[.rating], block?.directory(.ifd0)?[EXIFTag.ratingPercent.number] != nil {
      let percents = [0, 1, 25, 50, 75, 99]
      if case .set(.whole(let stars)) = change, let star = stars.first, percents.indices.contains(star) {
        put(.set(.whole([percents[star]])), .ratingPercent, in: block, &changes)
      } else if change == .remove {
        put(.remove, .ratingPercent, in: block, &changes)
      }
    }
    for (tag, change) in edit.tags { put(change, tag, in: block, &changes) }
  }

  /// Writes the sensitivity to ISOSpeedRatings, a SHORT; larger values go to RecommendedExposureIndex. Other tags with
  /// the old sensitivity are removed.
  private static func putSensitivity(
    _ change: Change<TagValue>, in block: TIFFBlock?, _ changes: inout TIFFChanges
  ) {
    var wanted: [EXIFTag: TagValue] = [:]
    if case .set(.whole(let numbers)) = change, let iso = numbers.first, iso > 65_535 {
      wanted = [.sensitivityType: .whole([2]), .recommendedExposureIndex: .whole([iso])]
    }
    for tag in EXIFTag.sensitivities { put(wanted[tag].map { .set($0) } ?? .remove, tag, in: block, &changes) }
  }

  private static func put(
    _ change: Change<TagValue>, _ tag: EXIFTag, in block: TIFFBlock?, _ changes: inout TIFFChanges
  ) {
    let isThere = block?.directory(tag.ifd)?[tag.number] != nil
    switch change {
    case .keep: break
    case .remove: if isThere { changes.remove(tag.number, in: tag.ifd) }
    case .set(let value):
      guard block.flatMap({ self.value(of: tag, in: $0) }) != value,
        let encoded = tag.encoded(value, block?.order ?? .big)
      else { return }
      changes.set(tag.number, in: tag.ifd, to: encoded)
    }
  }
}

extension EXIFTag {
  /// The tags other than ISOSpeedRatings that record the sensitivity.
  static let sensitivities: [EXIFTag] = [
    .sensitivityType, .standardOutputSensitivity, .recommendedExposureIndex, .isoSpeed, .isoSpeedLatitudeyyy,
    .isoSpeedLatitudezzz,
  ]

  /// The directory that holds the tag.
  package var ifd: IFD { directory == .image ? .ifd0 : .exif }

  /// Returns the value in the tag's own type, in the given byte order; nil when it is of another kind.
  fileprivate func encoded(_ value: TagValue, _ order: Bytes.Order) -> TIFFValue? {
    switch (kind, value) {
    case (.ascii, .text(let text)): .ascii(text)
    case (.short, .whole(let numbers)): .short(numbers.map { UInt16(clamping: $0) })
    case (.long, .whole(let numbers)): .long(numbers.map { UInt32(clamping: $0) })
    case (.rational, .fractions(let fractions)):
      .rational(fractions.map { Rational(UInt32(clamping: $0.numerator), UInt32(clamping: $0.denominator)) })
    case (.signedRational, .fractions(let fractions)):
      .signedRational(fractions.map { SIMD2(Int32(clamping: $0.numerator), Int32(clamping: $0.denominator)) })
    case (.comment, .text(let text)): .undefined(EXIF.encoded(comment: text, order))
    case (.code, .whole(let numbers)): .undefined(numbers.map { UInt8(clamping: $0) })
    default: nil
    }
  }
}

extension PhotoField {
  /// A tenth of a step: APEX copies are rounded.
  static let apexTolerance = 0.1

  /// Returns aperture or time as an APEX value (EXIF 3.0, annex C); nil for other tags.
  func apex(of value: TagValue?) -> Fraction? {
    guard case .fractions(let fractions)? = value, let number = fractions.first?.value, number > 0 else { return nil }
    let steps = self == .aperture ? 2 * log2(number) : -log2(number)
    return Fraction(Int64((steps * 10_000).rounded()), 10_000)
  }
}

extension Change {
  /// The new value; nil when nothing is set.
  package var value: Value? { if case .set(let value) = self { value } else { nil } }
}

/// Texts whose first eight bytes name their encoding (EXIF 3.0, 4.6.6, UserComment).
extension EXIF {
  private static let ascii = Array("ASCII\0\0\0".utf8)
  private static let unicode = Array("UNICODE\0".utf8)
  private static let unnamed = [UInt8](repeating: 0, count: 8)

  /// Returns the text, trimmed, in a block of that byte order; nil if it is empty.
  package static func comment(_ raw: Bytes, _ order: Bytes.Order) -> String? {
    guard raw.count > 8 else { return nil }
    let text: String
    if raw.has(unicode) {
      let units = stride(from: 8, to: raw.count - 1, by: 2).compactMap { try? raw.u16($0, order) }
      text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    } else if raw.has(ascii) || raw.has(unnamed) {
      text = String(decoding: raw.array.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
    } else {
      text = String(decoding: raw.array.prefix { $0 != 0 }, as: UTF8.self)
    }
    let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// Encodes in ASCII if possible, else in UTF-16, as exiftool and exiv2 do.
  package static func encoded(comment text: String, _ order: Bytes.Order) -> [UInt8] {
    text.utf8.allSatisfy { $0 < 0x80 } ? ascii + Array(text.utf8) : unicode + text.utf16.flatMap { $0.bytes(order) }
  }
}

/// Title, keywords and author as Windows writes them: its own tags in IFD0, in UTF-16. Existing ones are updated; none
/// are created. The subject is a copy of the description only if both texts are equal.
extension EXIF {
  private static let windowsTags: [(field: PhotoField, tag: UInt16, name: String)] = [
    (.title, 0x9C9B, "XPTitle"), (.keywords, 0x9C9E, "XPKeywords"), (.artist, 0x9C9D, "XPAuthor"),
    (.description, 0x9C9F, "XPSubject"),
  ]

  /// Whether the tag is a copy of the field.
  private static func isCopy(of field: PhotoField, _ tag: UInt16, in block: TIFFBlock) -> Bool {
    field != .description
      || windowsValue(of: field, tag, in: block) == value(of: .imageDescription, in: block).map(\.trimmedText)
  }

  /// Returns a warning if Windows' subject isn't a copy of a description that changes.
  package static func windowsNotice(on edit: MetadataEdit, in block: TIFFBlock) -> Note? {
    guard edit.fields[.description] != nil, let tag = windowsTags.last?.tag, block.ifd0[tag] != nil,
      !isCopy(of: .description, tag, in: block)
    else { return nil }
    return Note(.textKept, "keeps its Windows subject (XPSubject), which differs from its description")
  }

  static func readWindowsFields(of block: TIFFBlock, into metadata: inout Metadata) {
    for (field, tag, name) in windowsTags {
      guard let value = windowsValue(of: field, tag, in: block), isCopy(of: field, tag, in: block) else { continue }
      metadata.fields.append(Sourced(RecordedField(field, value), .exif, tag: name))
    }
  }

  static func setWindowsFields(_ edit: MetadataEdit, in block: TIFFBlock?, _ changes: inout TIFFChanges) {
    guard let block else { return }
    for (field, tag, _) in windowsTags where block.ifd0[tag] != nil && isCopy(of: field, tag, in: block) {
      guard let change = edit.fields[field] else { continue }
      guard let wanted = change.value else {
        changes.remove(tag, in: .ifd0)
        continue
      }
      guard windowsValue(of: field, tag, in: block) != windowsValue(of: field, wanted.windowsText) else { continue }
      let text = Array(wanted.windowsText.utf16) + [0]
      changes.set(tag, in: .ifd0, to: .bytes(text.flatMap { $0.bytes(.little) }))
    }
  }

  private static func windowsValue(of field: PhotoField, _ tag: UInt16, in block: TIFFBlock) -> TagValue? {
    guard let raw = block.ifd0[tag].flatMap(block.raw)?.array else { return nil }
    let units = stride(from: 0, to: raw.count - 1, by: 2).map { UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8 }
    return windowsValue(of: field, String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
  }

  /// Splits keywords and authors at semicolons.
  private static func windowsValue(of field: PhotoField, _ text: String) -> TagValue? {
    let isList = field == .keywords || field == .artist
    let parts = isList ? text.split(separator: ";").map(String.init) : [text]
    let texts = parts.map(\.trimmed).filter { !$0.isEmpty }
    if texts.isEmpty { return nil }
    return field == .keywords ? .list([].adding(texts)) : .text(texts.joined(separator: "; "))
  }
}

extension TagValue {
  /// The value with trimmed text.
  fileprivate var trimmedText: TagValue { if case .text(let text) = self { .text(text.trimmed) } else { self } }

  /// The text as Windows writes it. A semicolon within a keyword would split it in two.
  package var windowsText: String {
    switch self {
    case .text(let text): text
    case .list(let texts): texts.map { $0.replacing(";", with: ",") }.joined(separator: ";")
    case .whole, .fractions: ""
    }
  }
}
