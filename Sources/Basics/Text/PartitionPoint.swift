extension Array {
  /// How many elements at the start are `before`; all of these stand in front of all others. Binary search.
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
  /// The first place that is not `before`; all before it are. Searched from `guess` outwards: a good guess costs two
  /// looks, a bad one twice as many as halving the range would.
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
