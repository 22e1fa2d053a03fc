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
