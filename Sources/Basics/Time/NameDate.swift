/// The date that a file's name contains.
public enum NameDate: Hashable, Sendable {
  /// The day and the time of day.
  case time(CaptureTime)
  /// The day only, at midnight: messengers number the pictures of a day (`IMG-20240523-WA0007`).
  case day(CivilTime)

  /// Parses a file's name, with or without its extension; nil if it contains no date.
  ///
  /// Supported are the names that phones, cameras, messengers and screenshots use (`IMG_20240523_183841601`,
  /// `Screenshot 2024-05-23 at 6.38.41 PM`, `signal-2024-05-23-18-38-41-601`), ISO 8601, and milliseconds since 1970
  /// (`FB_IMG_1716457121601`). Times are in UTC if the name says so (`2024-05-23_09-38-41_UTC`), if it comes from a
  /// Pixel phone (`PXL_`) or a OneDrive upload (`20240523_093841601_iOS`), or if it counts milliseconds or seconds; all
  /// others are local time without an offset.
  public init?(fileName: String) {
    let name = NameDate.withoutEnding(fileName)
    if let time = NameDate.telegram(name) ?? NameDate.dropbox(name) {
      self = .time(time)
      return
    }
    let counted = NameDate.counted(in: name)
    // Without a separator between month and day, they are a date only if a time follows (dashcams).
    for match in name.matches(of: Pattern.day) {
      guard let year = Int(match.1), let month = Int(match.3 ?? match.5 ?? ""), let day = Int(match.4 ?? match.6 ?? ""),
        let date = CivilTime(year: year, month: month, day: day)
      else { continue }
      let (before, rest) = (name[..<match.1.startIndex], name[match.range.upperBound...])
      if var time = NameDate.time(on: date, in: rest, countsMilliseconds: before.isOfMilliseconds) {
        if time.offset == nil, before.announcesUTC || name[match.1.startIndex...].isOfOneDrive { time.offset = .utc }
        self = .time(time)
        return
      }
      // If more digits follow, it is another kind of number; a dashcam's day without a time is not a date either.
      guard match.3 != nil, rest.prefixMatch(of: Pattern.digit) == nil else { continue }
      // Counted milliseconds on that day are its time; otherwise they are another kind of number.
      let time = counted.flatMap { abs($0.civil.day(since: date)) <= 1 ? $0 : nil }
      self = time.map { .time($0) } ?? .day(date)
      return
    }
    guard let counted else { return nil }
    self = .time(counted)
  }

  /// Returns the text after the day that may be hours and minutes, or the number of a picture: `1838` in
  /// `IMG_20240523_1838`. It is not used as a time, because it is ambiguous.
  package static func doubtfulTime(behindDayIn fileName: String) -> Substring? {
    withoutEnding(fileName).firstMatch(of: Pattern.doubtfulTime)?.2
  }

  /// Whether the date is in the future, wherever the photo was taken. Such a number has another meaning.
  package func isFuture(at now: Instant) -> Bool { earliest.isFuture(at: now) }

  /// The time, or the beginning of the day.
  package var earliest: CaptureTime {
    switch self {
    case .time(let time): time
    case .day(let day): CaptureTime(day)
    }
  }

  private static func withoutEnding(_ fileName: String) -> Substring {
    fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
  }

  /// Returns the time for milliseconds since 1970 that form the whole name or its end (except for suffixes of copies),
  /// or for the seconds in the names of iOS screen recordings. Of two numbers, the first counts: an editor adds its own
  /// (`_edit_1234567890123`).
  private static func counted(in name: Substring) -> CaptureTime? {
    if let seconds = name.prefixMatch(of: Pattern.screenRecording)?.1 {
      return Int64(seconds).flatMap { CivilTime(secondsSince1970: $0) }.map { CaptureTime($0, offset: .utc) }
    }
    // A leading zero, which no counter writes, would mean a date before 2001.
    guard let digits = name.firstMatch(of: Pattern.milliseconds)?.1, let count = Int64(digits),
      let civil = CivilTime(secondsSince1970: count / 1_000), civil.year < 2100
    else { return nil }
    // `4006381333931_2` is the second picture of a product.
    let isCounted = name[digits.endIndex...].prefixMatch(of: Pattern.count) != nil
    guard !isCounted || digits.startIndex > name.startIndex else { return nil }
    return CaptureTime(civil, fraction: SecondFraction(digits: digits.suffix(3)), offset: .utc)
  }

  /// Parses `Foto 23.05.24, 18 38 41`: the names of Dropbox's camera upload in languages where the day precedes the
  /// month. With hyphens or slashes the order would be ambiguous.
  private static func dropbox(_ name: Substring) -> CaptureTime? {
    guard let match = name.firstMatch(of: Pattern.dropbox),
      let time = try? CaptureTime(
        parsing: "20\(match.3)-\(match.2)-\(match.1)T\(match.4):\(match.5):\(match.6)")
    else { return nil }
    return time
  }

  /// Parses `photo_5@23-05-2024_18-38-41`: the names of files that Telegram Desktop saves.
  private static func telegram(_ name: Substring) -> CaptureTime? {
    guard let match = name.firstMatch(of: Pattern.telegram),
      let time = try? CaptureTime(
        parsing: "\(match.3)-\(match.2)-\(match.1)T\(match.4):\(match.5):\(match.6)")
    else { return nil }
    return time
  }
}

extension Substring {
  /// Whether the text before the day marks a time in UTC: names of Pixel phones and of Zoom recordings.
  fileprivate var announcesUTC: Bool { firstMatch(of: Pattern.inUTC) != nil }

  /// Whether the text before the day implies that three digits after a dash are milliseconds; in other names they may
  /// be a picture number.
  fileprivate var isOfMilliseconds: Bool {
    firstMatch(of: Pattern.ofMilliseconds) != nil
  }

  /// Whether the name, from the day on, is that of a OneDrive upload from an iPhone, which is in UTC.
  fileprivate var isOfOneDrive: Bool {
    prefixMatch(of: Pattern.oneDrive) != nil
  }
}

extension NameDate {
  /// Returns the time of day with which `rest`, the text after the day, begins.
  ///
  /// - Parameter countsMilliseconds: Whether three digits after a dash are milliseconds.
  package static func time(on day: CivilTime, in rest: Substring, countsMilliseconds: Bool) -> CaptureTime? {
    let lead = Lead(rest)
    let rest = rest[lead.end...]
    guard let match = rest.prefixMatch(of: Pattern.clock), var hour = Int(match.1), match.1.count == 2 || match.2 != "",
      let minute = Int(match.3), let second = Int(match.4)
    else { return nil }
    let behind = rest[match.range.upperBound...]
    guard let tail = Tail(behind, ofDigitsOnly: match.2 == "") else { return nil }
    if let half = lead.half ?? tail.half {
      // Japanese clocks count from 0 to 11.
      guard hour <= 12 || half == .afternoon else { return nil }
      if hour <= 12 { hour = hour % 12 + (half == .afternoon ? 12 : 0) }
    } else if match.1.count == 1, behind.prefixMatch(of: Pattern.letter) != nil {
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
      if let match = rest.prefixMatch(of: Pattern.halfFirst) {
        (end, half) = (match.range.upperBound, match.1 == nil ? .afternoon : .morning)
      } else if let match = rest.prefixMatch(of: Pattern.lead) {
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

    /// Parses the end of a time: fraction, am or pm, and zone; nil if it isn't valid.
    /// - Parameter ofDigitsOnly: Whether the clock is written as `183841`; `_PM` after that has another meaning.
    init?(_ rest: Substring, ofDigitsOnly: Bool) {
      guard let digits = rest.prefixMatch(of: Pattern.fraction) else { return nil }
      isBehindDash = digits.1 == "-"
      fraction = digits.2.flatMap { SecondFraction(digits: $0) }
      var rest = rest[digits.range.upperBound...]
      let letter = rest.prefixMatch(of: Pattern.half).flatMap { ofDigitsOnly && $0.2 != nil ? nil : $0 }
      self.half = letter.flatMap { $0.1 ?? $0.2 }.map { $0.lowercased() == "p" ? .afternoon : .morning }
      if let letter { rest = rest[letter.range.upperBound...] }
      offset = rest.prefixMatch(of: Pattern.zone).flatMap { $0.1.map { UTCOffset($0) } ?? .utc }
    }
  }
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let day =
    /(?:^|[^0-9])((?:19|20)[0-9]{2})(?:([-_.]?)([0-9]{2})\2([0-9]{2})|_([0-9]{2})([0-9]{2})(?=_[0-9]{6}(?![0-9])))/
  nonisolated(unsafe) static let doubtfulTime =
    /(?:^|[^0-9])(?:19|20)[0-9]{2}([-_.]?)[0-9]{2}\1[0-9]{2}[ _T-]((?:[01][0-9]|2[0-3])[-_.:h]?[0-5][0-9])(?![0-9])/
  nonisolated(unsafe) static let digit = /[0-9]/
  nonisolated(unsafe) static let screenRecording = /RPReplay_Final([1-9][0-9]{9})(?![0-9])/
  nonisolated(unsafe) static let milliseconds =
    /(?:^|[^0-9])([1-9][0-9]{12})(?: ?\([0-9]{1,3}\)|[~_-][0-9]{1,3}|[_-]edit(?:ed)?|_[0-9]{13})*$/
  nonisolated(unsafe) static let count = /[~_-][0-9]{1,3}(?![0-9])/
  nonisolated(unsafe) static let dropbox =
    /(?:^|[^0-9.])([0-9]{2})\.([0-9]{2})\.(?:20)?([0-9]{2}), ([0-9]{2}) ([0-9]{2}) ([0-9]{2})(?![0-9])/
  nonisolated(unsafe) static let telegram =
    /@([0-9]{2})-([0-9]{2})-([0-9]{4})_([0-9]{2})-([0-9]{2})-([0-9]{2})(?![0-9])/
  nonisolated(unsafe) static let inUTC = /(?:^|[^\p{L}0-9])(?:PXL_|GMT)$/.ignoresCase()
  nonisolated(unsafe) static let ofMilliseconds = /(?:^|[^\p{L}0-9])(?:signal-|viber_image_|Screenshot_)$/
  nonisolated(unsafe) static let oneDrive = /[0-9]{8}_[0-9]{9}_iOS(?![\p{L}0-9])/.ignoresCase()
  nonisolated(unsafe) static let clock = /(?:[ _T.-]|[ _](?:at|um)[ _])?([0-9]{1,2})([-._: ]?)([0-9]{2})\2([0-9]{2})/
  nonisolated(unsafe) static let letter = /[ \u{A0}\u{202F}]?\p{L}/
  nonisolated(unsafe) static let halfFirst =
    /,?[ _\u{A0}\u{202F}]?(?:(午前|上午|오전)|(?:午後|下午|오후)) ?(?=[0-9]{1,2}([-._:])[0-9]{2}\2[0-9]{2})/
  nonisolated(unsafe) static let lead =
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
  nonisolated(unsafe) static let fraction = /(?:([-.,]?)([0-9]{3}))?(?![0-9])/
  /// After an underscore or hyphen, it counts only if no word follows: `_am_Meer`.
  nonisolated(unsafe) static let half =
    /[ .\u{A0}\u{202F}]?([AaPp])\.?[ \u{A0}\u{202F}]?[Mm](?!\p{L})\.?|[_-]([AaPp])[Mm](?![ _-]?\p{L})/
  nonisolated(unsafe) static let zone =
    /(Z(?![\p{L}0-9])|[+-][0-9]{2}:[0-9]{2}|\+[0-9]{4})|[ _-]?(?:UTC|GMT)(?!\p{L}|[0-9]|[ _]?[+-] ?[0-9])/
    .ignoresCase()
}
