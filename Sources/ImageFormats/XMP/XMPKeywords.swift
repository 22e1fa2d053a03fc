extension XMPPacket {
  /// Returns a note on Lightroom's tree of keywords (`lr:hierarchicalSubject`), which stays as it is when keywords
  /// change.
  package func notes(onKeywords change: Change<TagValue>?) -> [Note] {
    guard let change, let tree = own("lr:hierarchicalSubject") else { return [] }
    var keywords: [String] = []
    if case .list(let texts)? = change.value { keywords = texts }
    let left = tree.items.map(\.text).filter { branch in
      branch.split(separator: "|").last.map { !keywords.contains(String($0)) } ?? false
    }
    guard let first = left.first else { return [] }
    let others = left.count == 1 ? "" : " and \(left.count - 1) more"
    return [Note(.textKept, "lr:hierarchicalSubject keeps '\(first)'\(others), which the keywords don't have")]
  }
}
