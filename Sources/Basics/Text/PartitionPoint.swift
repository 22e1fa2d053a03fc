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
