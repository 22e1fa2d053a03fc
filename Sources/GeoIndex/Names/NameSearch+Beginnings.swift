/// Scores of longer names whose beginning was typed.
extension NameSearch {
  /// Returns the score of a name of `length` bytes of which the first `count` were typed.
  func beginning(_ count: Int, of length: Int) -> Float {
    (request.isCompleting ? 0.6 : 0.2) + 0.3 * Float(count) / Float(length)
  }

  /// Returns the score of a name whose remaining words only denote the kind of place, or distinguish it from others:
  /// George Town is not George, but Clinton Township is a Clinton, and Newcastle upon Tyne a Newcastle.
  func ending(_ start: Int, _ end: Int, of alias: Int) -> Float? {
    guard end - start <= 40 else { return nil }
    let rest = Array(tables.keys[start..<end])
    let isKind = Spelling.nameEndings.contains(rest)
    // Most names continue with other letters, so there is no need to examine their words.
    guard isKind || end - start > 4 && Spelling.mayQualify(rest[0], rest[1]) else { return nil }
    guard tables.mayHaveSeveralWords(alias) else { return nil }
    let words = tables.text(of: alias).lowercased().split { !$0.isLetter }
    var (tail, last) = ([UInt8](), Substring())
    for word in words.reversed().prefix(5) {
      (tail, last) = (Array(word.utf8) + tail, word)
      if tail.count >= rest.count { break }
    }
    if isKind { return tail == rest ? Spelling.townships.contains(rest) ? 0.92 : 0.82 : nil }
    return Spelling.qualifiers.contains(String(last)) && isSame(tail, rest) ? 0.8 : nil
  }

  /// Whether lower-cased words equal the key once they are folded.
  private func isSame(_ words: [UInt8], _ key: [UInt8]) -> Bool {
    if words == key { return true }
    var folding = Folding()
    return folding.keyBytes(String(decoding: words, as: UTF8.self)) == key
  }
}
