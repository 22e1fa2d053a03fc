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
    return Note(.textKept, "keeps its subject for Windows (XPSubject), which is not its description")
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
    let isParted = field == .keywords || field == .artist
    let parts = isParted ? text.split(separator: ";").map(String.init) : [text]
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
