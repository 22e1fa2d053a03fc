/// Finds Latin names within one edit of a query of four letters or more, or two edits for seven or more: a superfluous,
/// missing or wrong letter, or two adjacent letters swapped (optimal string alignment).
struct TypoScan {
  private let tables: PlaceIndex
  private let key: [UInt8]
  private let edits: Int

  init(_ tables: PlaceIndex, _ key: [UInt8]) {
    self.tables = tables
    self.key = key
    // Numbers are not treated as misspelled.
    let isWord = key.allSatisfy { !(0x30...0x39).contains($0) }
    edits = key.count < 4 || !isWord ? 0 : key.count < 7 ? 1 : 2
  }

  func forEach(_ body: (_ alias: Int, _ edits: Int) -> Void) {
    guard edits > 0, key.count <= TypoTable.lengths.upperBound else { return }
    EditPattern(key, edits: edits).forEach(in: tables.typoGroups, tables.typoNames) { entry, distance in
      for alias in aliases(from: entry) { body(alias, distance) }
    }
  }

  /// Returns the aliases with the same key as an entry, except codes and initials.
  private func aliases(from first: Int) -> [Int] {
    var aliases: [Int] = []
    let start = Int(tables.entryPositions[first])
    let key = tables.keys[start...(start + tables.keyLength(at: start))]
    // Entries that are equal are sorted by importance.
    for entry in first..<min(first + NameSearch.namesakes, tables.entryPositions.count) {
      guard tables.keys[Int(tables.entryPositions[entry])...].starts(with: key) else { break }
      guard tables.isWhole(entry) else { continue }
      let alias = tables.alias(ofEntry: entry)
      if tables.aliasFlags[alias] & (PlaceIndex.code | PlaceIndex.initials) == 0 { aliases.append(alias) }
    }
    return aliases
  }
}

/// A word of up to 64 letters, and the number of edits that are allowed: one or two.
///
/// While the letters of a name are read, a set of bits for each number of edits says which beginnings of the word become
/// the letters read so far with as many edits or fewer: bit 0 is for the first letter, bit 1 for the first two (Wu
/// and Manber, "Fast text searching allowing errors", 1992).
private struct EditPattern {
  /// The beginnings of the word that become the letters read so far.
  private struct Column {
    var exact: UInt64
    var one: UInt64
    var two: UInt64
    /// The places in the word of the last letter read.
    var places: UInt64
  }

  /// The places of each byte in the word, as bits.
  private var places = [UInt64](repeating: 0, count: 256)
  private let edits: Int
  /// The numbers of letters of names within the allowed edits.
  private let lengths: ClosedRange<UInt8>
  /// The bit of the whole word.
  private let last: UInt64

  init(_ word: [UInt8], edits: Int) {
    self.edits = edits
    lengths = UInt8(word.count - edits)...UInt8(word.count + edits)
    last = 1 << UInt64(word.count - 1)
    for (index, byte) in word.enumerated() { places[Int(byte)] |= 1 << UInt64(index) }
  }

  /// Calls `body` with the first entry of each name within the allowed edits.
  func forEach(
    in groups: UnsafeBufferPointer<TypoTable.Group>, _ names: UnsafeBufferPointer<UInt8>,
    _ body: (_ entry: Int, _ edits: Int) -> Void
  ) {
    places.withUnsafeBufferPointer { places in
      withUnsafeTemporaryAllocation(of: Column.self, capacity: TypoTable.lengths.upperBound + 1) { columns in
        // Nothing was read: one edit removes the first letter.
        columns.initialize(repeating: Column(exact: 0, one: 1, two: 3, places: 0))
        var number = 0
        while number < groups.count {
          let group = groups[number]
          if !lengths.overlaps(group.shortest...group.longest)
            || group.letter != 0 && !read(places[Int(group.letter)], Int(group.depth) - 1, columns)
          {
            number = Int(group.end)
            continue
          }
          number += 1
          let end = number < groups.count ? Int(groups[number].start) : names.count
          forEach(in: names, Int(group.start)..<end, Int(group.entry), places, columns, body)
        }
      }
    }
  }

  /// Reads names that begin with the letters of a group.
  /// - Parameters:
  ///   - entry: The entry of the name before.
  ///   - columns: The columns after each number of letters; those of the group's letters are set.
  @inline(__always)
  private func forEach(
    in names: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ entry: Int, _ places: UnsafeBufferPointer<UInt64>,
    _ columns: UnsafeMutableBufferPointer<Column>, _ body: (_ entry: Int, _ edits: Int) -> Void
  ) {
    // The first `excluded` letters of the name before have too many edits.
    var (next, entry, excluded) = (range.lowerBound, entry, Int.max)
    while next < range.upperBound {
      let (shared, count) = (Int(names[next]), Int(names[next + 1]))
      next += 2
      if shared < excluded {
        excluded = .max
        for index in 0..<count where !read(places[Int(names[next + index])], shared + index, columns) {
          excluded = shared + index + 1
          break
        }
      }
      next += count
      entry += TypoTable.number(names, at: &next)
      if excluded == .max, let distance = distance(columns[shared + count]) { body(entry, distance) }
    }
  }

  /// Computes the column after `depth` letters and one more.
  /// - Parameter here: The places of the letter in the word.
  /// - Returns: Whether any beginning of the word has at most the allowed edits.
  @inline(__always)
  private func read(_ here: UInt64, _ depth: Int, _ columns: UnsafeMutableBufferPointer<Column>) -> Bool {
    let column = column(after: columns[depth], columns[max(0, depth - 1)], depth, here)
    columns[depth + 1] = column
    return isClose(column, depth + 1)
  }

  /// Returns the column after one more letter.
  /// - Parameters:
  ///   - column, previous: The columns after `depth` letters, and after one letter less.
  ///   - here: The places of the letter in the word.
  @inline(__always)
  private func column(after column: Column, _ previous: Column, _ depth: Int, _ here: UInt64) -> Column {
    // No letter of the word becomes `count` letters with as many edits.
    func none(_ count: Int, _ edits: Int) -> UInt64 { count <= edits ? 1 : 0 }
    let swapped = here << 1 & column.places
    let exact = (column.exact << 1 | none(depth, 0)) & here
    var one = (column.one << 1 | none(depth, 1)) & here
    // A wrong, a superfluous and a missing letter; two letters swapped.
    one |= column.exact << 1 | none(depth, 0) | column.exact | exact << 1
    one |= (previous.exact << 2 | none(depth - 1, 0) << 1) & swapped
    guard edits > 1 else { return Column(exact: exact, one: one, two: one, places: here) }
    var two = (column.two << 1 | none(depth, 2)) & here
    two |= column.one << 1 | none(depth, 1) | column.one | one << 1 | none(depth + 1, 1)
    two |= (previous.one << 2 | none(depth - 1, 1) << 1) & swapped
    return Column(exact: exact, one: one, two: two, places: here)
  }

  /// Whether any beginning of the word has at most the allowed edits.
  @inline(__always)
  private func isClose(_ column: Column, _ depth: Int) -> Bool {
    column.two & (last | (last - 1)) != 0 || depth <= edits
  }

  /// Returns the number of edits of the whole word; nil if there are too many.
  private func distance(_ column: Column) -> Int? {
    if column.two & last == 0 { return nil }
    return column.exact & last != 0 ? 0 : column.one & last != 0 ? 1 : 2
  }
}
