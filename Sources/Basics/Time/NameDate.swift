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
  /// (`FB_IMG_1716457121601`). In UTC are names that say so (`2024-05-23_09-38-41_UTC`), those of Pixel phones
  /// (`PXL_`) and of OneDrive's uploads (`20240523_093841601_iOS`), and what is counted; all others are what a clock
  /// showed.
  public init?(fileName: String) {
    let name = NameDate.withoutEnding(fileName)
    if let time = NameDate.telegram(name) ?? NameDate.dropbox(name) {
      self = .time(time)
      return
    }
    let counted = NameDate.counted(in: name)
    // Without a sign between month and day, only a time behind them makes them a date (dashcams).
    let days =
      /(?:^|[^0-9])((?:19|20)[0-9]{2})(?:([-_.]?)([0-9]{2})\2([0-9]{2})|_([0-9]{2})([0-9]{2})(?=_[0-9]{6}(?![0-9])))/
    for match in name.matches(of: days) {
      guard let year = Int(match.1), let month = Int(match.3 ?? match.5 ?? ""), let day = Int(match.4 ?? match.6 ?? ""),
        let date = CivilTime(year: year, month: month, day: day)
      else { continue }
      let (before, rest) = (name[..<match.1.startIndex], name[match.range.upperBound...])
      if var time = NameDate.time(on: date, in: rest, countsMilliseconds: before.isOfMilliseconds) {
        if time.offset == nil, before.announcesUTC || name[match.1.startIndex...].isOfOneDrive { time.offset = .utc }
        self = .time(time)
        return
      }
      // Digits that go on are some other number, and so is a dashcam's day without a time.
      guard match.3 != nil, rest.prefixMatch(of: /[0-9]/) == nil else { continue }
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
  package static func doubtfulTime(behindDayIn fileName: String) -> Substring? {
    let behind =
      /(?:^|[^0-9])(?:19|20)[0-9]{2}([-_.]?)[0-9]{2}\1[0-9]{2}[ _T-]((?:[01][0-9]|2[0-3])[-_.:h]?[0-5][0-9])(?![0-9])/
    return withoutEnding(fileName).firstMatch(of: behind)?.2
  }

  /// Whether it is still to come, wherever it was taken: such a number counts or names something else.
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

  /// Milliseconds since 1970, the whole name or its end but for what second copies add; and the seconds of iOS's screen
  /// recordings. Of two numbers, the first: an editor adds its own (`_edit_1234567890123`).
  private static func counted(in name: Substring) -> CaptureTime? {
    if let seconds = name.prefixMatch(of: /RPReplay_Final([1-9][0-9]{9})(?![0-9])/)?.1 {
      return Int64(seconds).flatMap { CivilTime(secondsSince1970: $0) }.map { CaptureTime($0, offset: .utc) }
    }
    // With a leading zero, which no counter writes, it would be before 2001.
    let number =
      /(?:^|[^0-9])([1-9][0-9]{12})(?: ?\([0-9]{1,3}\)|[~_-][0-9]{1,3}|[_-]edit(?:ed)?|_[0-9]{13})*$/
    guard let digits = name.firstMatch(of: number)?.1, let count = Int64(digits),
      let civil = CivilTime(secondsSince1970: count / 1_000), civil.year < 2100
    else { return nil }
    // `4006381333931_2` is the second picture of a product.
    let isCounted = name[digits.endIndex...].prefixMatch(of: /[~_-][0-9]{1,3}(?![0-9])/) != nil
    guard !isCounted || digits.startIndex > name.startIndex else { return nil }
    return CaptureTime(civil, fraction: SecondFraction(digits: digits.suffix(3)), offset: .utc)
  }

  /// `Foto 23.05.24, 18 38 41`, as Dropbox's camera upload names photos where days come before months. With hyphens or
  /// slashes they may be the other way round.
  private static func dropbox(_ name: Substring) -> CaptureTime? {
    let pattern =
      /(?:^|[^0-9.])([0-9]{2})\.([0-9]{2})\.(?:20)?([0-9]{2}), ([0-9]{2}) ([0-9]{2}) ([0-9]{2})(?![0-9])/
    guard let match = name.firstMatch(of: pattern),
      let time = try? CaptureTime(
        parsing: "20\(match.3)-\(match.2)-\(match.1)T\(match.4):\(match.5):\(match.6)")
    else { return nil }
    return time
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
}

extension Substring {
  /// What stands before the day in names that are in UTC: of Pixel phones, and of Zoom's recordings.
  fileprivate var announcesUTC: Bool { firstMatch(of: /(?:^|[^\p{L}0-9])(?:PXL_|GMT)$/.ignoresCase()) != nil }

  /// What stands before the day where three digits behind a dash are milliseconds; elsewhere they may be a number of
  /// the picture.
  fileprivate var isOfMilliseconds: Bool {
    firstMatch(of: /(?:^|[^\p{L}0-9])(?:signal-|viber_image_|Screenshot_)$/) != nil
  }

  /// A name from the day on, as OneDrive gives it to what it uploads from an iPhone; in UTC.
  fileprivate var isOfOneDrive: Bool {
    prefixMatch(of: /[0-9]{8}_[0-9]{9}_iOS(?![\p{L}0-9])/.ignoresCase()) != nil
  }
}
