extension MetadataEdit {
  /// With the whole list in place of keywords that are to be added, as every copy in `metadata` and these make it: no
  /// keyword goes.
  package func addingKeywords(to metadata: Metadata) -> MetadataEdit {
    guard !addedKeywords.isEmpty else { return self }
    var edit = self
    edit.addedKeywords = []
    edit.fields[.keywords] = .set(.list(metadata.keywords.adding(addedKeywords)))
    return edit
  }
}

extension Metadata {
  /// IIM has room for so many bytes of each.
  private static let longestInIIM = 64

  /// Those of all copies, each once; one that IIM had to cut is the one that it was cut from.
  package var keywords: [String] {
    let copies = fields.filter { $0.value.field == .keywords }
    var all: [String] = []
    let isHome = { (copy: Sourced<RecordedField>) in [.xmp, .sidecar].contains(copy.namespace) }
    for copy in copies.filter(isHome) + copies.filter({ !isHome($0) }) {
      guard case .list(let texts) = copy.value.value else { continue }
      all = all.adding(
        texts.filter { text in
          // A cut ends before a character that would not fit, of up to four bytes and more.
          !(copy.namespace == .iptc && text.utf8.count > Metadata.longestInIIM - 16
            && all.contains { $0.utf8.count > Metadata.longestInIIM && $0.hasPrefix(text) })
        })
    }
    return all
  }

  /// Whether the keywords that are believed, those in XMP, have all of these.
  package func hasKeywords(_ wanted: [String]) -> Bool {
    fields.contains { copy in
      guard [.xmp, .sidecar].contains(copy.namespace), case .list(let texts) = copy.value.value else { return false }
      return wanted.allSatisfy(texts.contains)
    }
  }
}

extension [String] {
  /// With those of `others` that aren't there yet.
  package func adding(_ others: [String]) -> [String] {
    others.reduce(into: self) { all, text in if !all.contains(text) { all.append(text) } }
  }
}
