extension NameDate {
  /// Returns the time of day with which `rest`, the text after the day, begins.
  ///
  /// - Parameter countsMilliseconds: Whether three digits after a dash are milliseconds.
  package static func time(on day: CivilTime, in rest: Substring, countsMilliseconds: Bool) -> CaptureTime? {
    let clock = /(?:[ _T.-]|[ _](?:at|um)[ _])?([0-9]{1,2})([-._: ]?)([0-9]{2})\2([0-9]{2})/
    let lead = Lead(rest)
    let rest = rest[lead.end...]
    guard let match = rest.prefixMatch(of: clock), var hour = Int(match.1), match.1.count == 2 || match.2 != "",
      let minute = Int(match.3), let second = Int(match.4)
    else { return nil }
    let behind = rest[match.range.upperBound...]
    guard let tail = Tail(behind, ofDigitsOnly: match.2 == "") else { return nil }
    if let half = lead.half ?? tail.half {
      // Japanese clocks count from 0 to 11.
      guard hour <= 12 || half == .afternoon else { return nil }
      if hour <= 12 { hour = hour % 12 + (half == .afternoon ? 12 : 0) }
    } else if match.1.count == 1, behind.prefixMatch(of: /[ \u{A0}\u{202F}]?\p{L}/) != nil {
      // The letters may denote the half of the day in an unknown language.
      return nil
    }
    let civil = CivilTime(
      year: day.year, month: day.month, day: day.day, hour: hour, minute: minute, second: second)
    let fraction = tail.isBehindDash && !countsMilliseconds ? nil : tail.fraction
    return civil.map { CaptureTime($0, fraction: fraction, offset: tail.offset) }
  }

  private enum Half { case morning, afternoon }

  /// The text that screenshots and messengers write between the day and the time, in the language of their system: at,
  /// um, à, a la(s), kl.; in Chinese, Japanese and Korean including the half of the day.
  private struct Lead {
    let end: Substring.Index
    var half: Half?

    init(_ rest: Substring) {
      let halves = /,?[ _\u{A0}\u{202F}]?(?:(午前|上午|오전)|(?:午後|下午|오후)) ?(?=[0-9]{1,2}([-._:])[0-9]{2}\2[0-9]{2})/
      let words =
        #/
        (?:
          ,?[\u{20}_\u{A0}\-]
          (?:at|um|à(?:\(s\))?|às|as|a|a\u{20}la(?:s|\(s\))?|(?:alle\u{20})?ore|alle|om|kl\.?|klo|kello|o|v|w|в|στις|saat
            |pukul|lúc)
          [\u{20}_\u{A0}\-]
        | \u{20}?[于於]\u{20}?
        | \u{20}-\u{20}(?![0-9]{1,2}-)
        )
        (?=[0-9]{1,2}([-._:])[0-9]{2}\1[0-9]{2})
        /#
      if let match = rest.prefixMatch(of: halves) {
        (end, half) = (match.range.upperBound, match.1 == nil ? .afternoon : .morning)
      } else if let match = rest.prefixMatch(of: words) {
        end = match.range.upperBound
      } else {
        end = rest.startIndex
      }
    }
  }

  /// The text after the seconds: a fraction, the half of the day, the zone.
  private struct Tail {
    let fraction: SecondFraction?
    let isBehindDash: Bool
    let half: Half?
    let offset: UTCOffset?

    /// - Parameter ofDigitsOnly: Whether the clock is written as `183841`; `_PM` after that has another meaning.
    init?(_ rest: Substring, ofDigitsOnly: Bool) {
      let number = /(?:([-.,]?)([0-9]{3}))?(?![0-9])/
      // After an underscore or hyphen, it counts only if no word follows: `_am_Meer`.
      let half =
        /[ .\u{A0}\u{202F}]?([AaPp])\.?[ \u{A0}\u{202F}]?[Mm](?!\p{L})\.?|[_-]([AaPp])[Mm](?![ _-]?\p{L})/
      let zone = /(Z(?![\p{L}0-9])|[+-][0-9]{2}:[0-9]{2}|\+[0-9]{4})|[ _-]?(?:UTC|GMT)(?!\p{L}|[0-9]|[ _]?[+-] ?[0-9])/
      guard let digits = rest.prefixMatch(of: number) else { return nil }
      isBehindDash = digits.1 == "-"
      fraction = digits.2.flatMap { SecondFraction(digits: $0) }
      var rest = rest[digits.range.upperBound...]
      let letter = rest.prefixMatch(of: half).flatMap { ofDigitsOnly && $0.2 != nil ? nil : $0 }
      self.half = letter.flatMap { $0.1 ?? $0.2 }.map { $0.lowercased() == "p" ? .afternoon : .morning }
      if let letter { rest = rest[letter.range.upperBound...] }
      offset = rest.prefixMatch(of: zone.ignoresCase()).flatMap { $0.1.map { UTCOffset($0) } ?? .utc }
    }
  }
}
