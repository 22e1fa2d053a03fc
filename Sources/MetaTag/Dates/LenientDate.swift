extension CaptureTime {
  /// Parses a text that isn't a valid date if it can mean only one time: parts in the order of ISO 8601, with any
  /// separators, without leading zeros, without seconds (0 is used). The year must have four digits, and days and times
  /// must exist.
  init?(lenient text: String) {
    let form =
      /\s*([0-9]{4})[-:\/. ]([0-9]{1,2})[-:\/. ]([0-9]{1,2})[T ,]+([0-9]{1,2})[:.]([0-9]{1,2})(?:[:.]([0-9]{1,2}))?(?:[.,]([0-9]{1,9}))?\s*(Z|[+-][0-9]{2}:?[0-9]{2})?\s*/
    let numbers: [Int]
    let (fraction, offset): (Substring?, Substring?)
    if let match = text.wholeMatch(of: form) {
      numbers = [match.1, match.2, match.3, match.4, match.5, match.6 ?? "0"].compactMap { Int($0) }
      (fraction, offset) = (match.7, match.8)
    } else if let match = text.wholeMatch(of: /\s*([0-9]{4})([0-9]{2})([0-9]{2})[T ]?([0-9]{2})([0-9]{2})([0-9]{2})\s*/)
    {
      numbers = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
      (fraction, offset) = (nil, nil)
    } else {
      return nil
    }
    guard numbers.count == 6,
      let civil = CivilTime(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4], second: numbers[5])
    else { return nil }
    self.init(
      civil, fraction: fraction.flatMap { SecondFraction(digits: $0) }, offset: offset.flatMap { UTCOffset($0) })
  }
}
