/// The number of typing errors between two texts.
package enum EditDistance {
  /// Returns how many letters are missing, added, wrong, or swapped with their neighbour (optimal string alignment).
  package static func between(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var (before, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }

  /// Returns the distance between two texts, by their letters in UTF-8.
  package static func between(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
    between(Array(a.utf8), Array(b.utf8))
  }
}
