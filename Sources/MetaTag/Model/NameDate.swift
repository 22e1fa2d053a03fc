/// What a file's name tells of when the photo was taken.
public enum NameDate: Hashable, Sendable {
  /// The day and the time of day.
  case time(CaptureTime)
  /// The day only, at midnight: messengers count the pictures of a day (`IMG-20240523-WA0007`).
  case day(CivilTime)

  /// Reads a file's name, with or without its ending; nil when there is no date in it.
  ///
  /// Known are the names that phones, cameras, messengers and screenshots give (`IMG_20240523_183841601`,
  /// `Screenshot 2024-05-23 at 6.38.41 PM`, `signal-2024-05-23-18-38-41-601`), ISO 8601, and milliseconds since 1970
  /// (`FB_IMG_1716457121601`). Names of Pixel phones (`PXL_`) and counted milliseconds are in UTC; all others are what
  /// a clock showed.
  public init?(fileName: String) {
    let name = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    if let time = NameDate.telegram(name) {
      self = .time(time)
      return
    }
    let counted = NameDate.milliseconds(in: name)
    for match in name.matches(of: /(?:^|[^0-9])((?:19|20)[0-9]{2})([-_.]?)([0-9]{2})\2([0-9]{2})/) {
      guard let year = Int(match.1), let month = Int(match.3), let day = Int(match.4),
        let date = CivilTime(year: year, month: month, day: day)
      else { continue }
      let rest = name[match.range.upperBound...]
      if var time = NameDate.time(on: date, in: rest, ofSignal: name.hasPrefix("signal-")) {
        if name.hasPrefix("PXL_") { time.offset = .utc }
        self = .time(time)
        return
      }
      // Digits that go on are some other number.
      guard rest.prefixMatch(of: /[0-9]/) == nil else { continue }
      // Counted milliseconds tell the time of that day, or are some other number.
      let time = counted.flatMap { abs($0.civil.day(since: date)) <= 1 ? $0 : nil }
      self = time.map { .time($0) } ?? .day(date)
      return
    }
    guard let counted else { return nil }
    self = .time(counted)
  }

  /// What stands behind the day in a name and may be hours and minutes, or the number of a picture: `1838` of
  /// `IMG_20240523_1838`. It is not read, as nobody knows which.
  static func doubtfulTime(behindDayIn fileName: String) -> Substring? {
    let name = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    let behind =
      /(?:^|[^0-9])(?:19|20)[0-9]{2}([-_.]?)[0-9]{2}\1[0-9]{2}[ _T-]((?:[01][0-9]|2[0-3])[-_.:h]?[0-5][0-9])(?![0-9])/
    return name.firstMatch(of: behind)?.2
  }

  /// The whole name, or its end.
  private static func milliseconds(in name: Substring) -> CaptureTime? {
    guard let digits = name.firstMatch(of: /(?:^|[^0-9])([0-9]{13})$/)?.1, let number = Int64(digits),
      // Before 2000, no phone counted them.
      number >= 946_684_800_000, let civil = CivilTime(secondsSince1970: number / 1_000), civil.year < 2100
    else { return nil }
    return CaptureTime(civil, fraction: SecondFraction(digits: digits.suffix(3)), offset: .utc)
  }

  /// Screenshots have words between the day and the time, in the language of their system: at, um, à, a la(s), kl.; in
  /// Chinese, Japanese and Korean the half of the day among them, which is returned as `a` or `p`.
  private static func withoutWords(_ rest: Substring) -> (Substring, half: String?) {
    let halves = /,?[ _\u{A0}\u{202F}]?(?:(午前|上午|오전)|(?:午後|下午|오후)) ?(?=[0-9]{1,2}([-._:])[0-9]{2}\2[0-9]{2})/
    if let match = rest.prefixMatch(of: halves) {
      return (rest[match.range.upperBound...], match.1 == nil ? "p" : "a")
    }
    let words =
      #/
      ,?[\u{20}_\u{A0}]
      (?:at|um|à|às|as|a|a\u{20}la(?:s|\(s\))?|alle(?:\u{20}ore)?|om|kl\.?|klo|kello|o|w|в|στις|saat)
      [\u{20}_\u{A0}](?=[0-9]{1,2}([-._:])[0-9]{2}\1[0-9]{2})
      /#
    return (rest.prefixMatch(of: words).map { rest[$0.range.upperBound...] } ?? rest, nil)
  }

  /// `photo_5@23-05-2024_18-38-41`, as Telegram's desktop program names what it saves.
  private static func telegram(_ name: Substring) -> CaptureTime? {
    guard
      let match = name.firstMatch(of: /@([0-9]{2})-([0-9]{2})-([0-9]{4})_([0-9]{2})-([0-9]{2})-([0-9]{2})(?![0-9])/),
      let time = try? CaptureTime(
        parsing: "\(match.3)-\(match.2)-\(match.1)T\(match.4):\(match.5):\(match.6)")
    else { return nil }
    return time
  }

  /// The time of day with which `rest`, all behind the day, begins.
  private static func time(on day: CivilTime, in rest: Substring, ofSignal: Bool) -> CaptureTime? {
    let clock = /(?:[ _T.-]|[ _](?:at|um)[ _])?([0-9]{1,2})([-._: ]?)([0-9]{2})\2([0-9]{2})/
    let (rest, early) = withoutWords(rest)
    guard let match = rest.prefixMatch(of: clock), var hour = Int(match.1), match.1.count == 2 || match.2 != "",
      let minute = Int(match.3), let second = Int(match.4)
    else { return nil }
    // Behind a dash, only Signal writes milliseconds; for others it is a number of the picture.
    let end =
      /([-.,]?)([0-9]{3})?(?![0-9])(?:[ \u{A0}\u{202F}]?([AaPp])\.?[ \u{A0}\u{202F}]?[Mm](?!\p{L})\.?)?(Z|[+-][0-9]{2}:[0-9]{2}|\+[0-9]{4})?/
    let behind = rest[match.range.upperBound...]
    guard let tail = behind.prefixMatch(of: end) else { return nil }
    if let half = early ?? tail.3?.lowercased() {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "p" ? 12 : 0)
    } else if match.1.count == 1, behind.prefixMatch(of: /[ \u{A0}\u{202F}]?\p{L}/) != nil {
      // That may be half of the day in a language that isn't known.
      return nil
    }
    let civil = CivilTime(
      year: day.year, month: day.month, day: day.day, hour: hour, minute: minute, second: second)
    let isFraction = tail.1 != "-" || ofSignal
    return civil.map { civil in
      CaptureTime(
        civil, fraction: isFraction ? tail.2.flatMap { SecondFraction(digits: $0) } : nil,
        offset: tail.4.flatMap { UTCOffset($0) })
    }
  }
}
