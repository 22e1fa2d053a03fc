extension MetadataEdit {
  /// Replaces the keywords to add with the complete list: those of every copy in `metadata` plus the added ones. No
  /// keyword is lost.
  package func addingKeywords(to metadata: Metadata) -> MetadataEdit {
    guard !addedKeywords.isEmpty else { return self }
    var edit = self
    edit.addedKeywords = []
    edit.fields[.keywords] = .set(.list(metadata.keywords.adding(addedKeywords)))
    return edit
  }
}

extension Metadata {
  /// The bytes that IIM allows per keyword.
  private static let longestInIIM = 64

  /// The keywords of all copies, each once. A keyword that IIM had to cut counts as the full one.
  package var keywords: [String] {
    let copies = fields.filter { $0.value.field == .keywords }
    var all: [String] = []
    let isHome = { (copy: Sourced<RecordedField>) in [.xmp, .sidecar].contains(copy.namespace) }
    for copy in copies.filter(isHome) + copies.filter({ !isHome($0) }) {
      guard case .list(let texts) = copy.value.value else { continue }
      all = all.adding(
        texts.filter { text in
          // IIM cuts before a character that doesn't fit; a character may have four bytes or more.
          !(copy.namespace == .iptc && text.utf8.count > Metadata.longestInIIM - 16
            && all.contains { $0.utf8.count > Metadata.longestInIIM && $0.hasPrefix(text) })
        })
    }
    return all
  }

  /// Whether the preferred keywords, those in XMP, include all of these.
  package func hasKeywords(_ wanted: [String]) -> Bool {
    fields.contains { copy in
      guard [.xmp, .sidecar].contains(copy.namespace), case .list(let texts) = copy.value.value else { return false }
      return wanted.allSatisfy(texts.contains)
    }
  }
}

extension [String] {
  /// Appends those of `others` that are missing.
  package func adding(_ others: [String]) -> [String] {
    others.reduce(into: self) { all, text in if !all.contains(text) { all.append(text) } }
  }
}
