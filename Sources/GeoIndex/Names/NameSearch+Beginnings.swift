/// What a longer name is worth of which the beginning was typed.
extension NameSearch {
  /// How well a name of so many bytes fits if the first ones were typed.
  func beginning(_ count: Int, of length: Int) -> Float {
    (request.isCompleting ? 0.6 : 0.2) + 0.3 * Float(count) / Float(length)
  }

  /// How well a name fits if what follows says only what sort of thing it is, as a word of its own, or which of several
  /// it is: George Town is no George, but Clinton Township a Clinton, and Newcastle upon Tyne a Newcastle.
  func ending(_ start: Int, _ end: Int, of alias: Int) -> Float? {
    guard end - start <= 40 else { return nil }
    let rest = Array(tables.keys[start..<end])
    let isKind = Spelling.nameEndings.contains(rest)
    // Most names go on with other letters: there is no need to look at their words.
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

  /// The words that were lower-cased only are those of the key.
  private func isSame(_ words: [UInt8], _ key: [UInt8]) -> Bool {
    if words == key { return true }
    var folding = Folding()
    return folding.keyBytes(String(decoding: words, as: UTF8.self)) == key
  }
}
