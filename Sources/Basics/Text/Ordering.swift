/// Binary search in sorted arrays, and the natural order of file names.
extension Array {
  /// Returns the number of leading elements for which `isBefore` is true; all others must follow them. Uses binary
  /// search.
  @inlinable package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Range<Int> {
  /// Returns the first index for which `isBefore` is false; it must be true for all indices before that. Searches
  /// outwards from `guess`: a good guess costs two tests, a bad one twice as many as a binary search.
  @inlinable @inline(__always) package func partitionPoint(near guess: Int, _ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    guard low < high else { return low }
    let guess = Swift.min(Swift.max(guess, low), high - 1)
    var step = 1
    if isBefore(guess) {
      low = guess + 1
      while low < high {
        let next = Swift.min(low + step - 1, high - 1)
        guard isBefore(next) else {
          high = next
          break
        }
        (low, step) = (next + 1, step * 2)
      }
    } else {
      high = guess
      while low < high {
        let next = Swift.max(high - step, low)
        guard !isBefore(next) else {
          low = next + 1
          break
        }
        (high, step) = (next, step * 2)
      }
    }
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The order in which people sort names: consecutive digits are one number, so IMG_2 comes before IMG_10.
///
/// ASCII letters are compared without case, and a folder comes before its contents. File extensions decide only between
/// names that are otherwise equal: `Scan.jpeg` comes before `Scan 1.jpeg` and `Scan (2).jpeg`. Names that differ only
/// in case or in leading zeros are ordered by their bytes, so no two are equal. The locale has no effect.
/// case or in leading zeros are ordered by their bytes, so that no two are equal. It doesn't know the locale.
package enum NaturalOrder {
  package static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    var (i, j) = (0, 0)
    let (endOfA, endOfB) = (ending(of: a), ending(of: b))
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
        let (first, second) = (number(a, &i), number(b, &j))
        if first.count != second.count { return first.count < second.count }
        if first != second { return first.lexicographicallyPrecedes(second) }
      } else {
        let (first, second) = (rank(a[i], isEnding: i == endOfA), rank(b[j], isEnding: j == endOfB))
        if first != second { return first < second }
        (i, j) = (i + 1, j + 1)
      }
    }
    if (i == a.count) != (j == b.count) { return i == a.count }
    return a.lexicographicallyPrecedes(b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the digits from `index` on without leading zeros, and advances `index` past them.
  private static func number(_ name: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let end = name[index...].firstIndex { !isDigit($0) } ?? name.count
    defer { index = end }
    return name[index..<end].drop { $0 == 0x30 }
  }

  /// Returns the index at which the file extension begins, including its dot.
  private static func ending(of path: [UInt8]) -> Int? {
    let name = path.split(separator: UInt8(ascii: "/")).last
    return name?.dropFirst().lastIndex(of: UInt8(ascii: "."))
  }

  /// Returns the sort weight of a byte: a file extension comes before any character of a longer name.
  private static func rank(_ byte: UInt8, isEnding: Bool) -> Int {
    if byte == UInt8(ascii: "/") { return -2 }
    if isEnding { return -1 }
    return Int((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
  }
}
