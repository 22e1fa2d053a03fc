public import Foundation
public import SystemPackage

/// Conversions between Foundation's types and those of photos.
extension Date {
  /// Creates the date of an instant, as exactly as `Date` can hold it: today to about 0.1 µs.
  public init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.seconds) + Double(instant.nanoseconds) / 1e9)
  }
}

extension Instant {
  /// Creates the instant of a date, rounded to the nanosecond. Returns nil for dates that are no numbers, or beyond the
  /// range of 64-bit seconds.
  public init?(_ date: Date) {
    let interval = date.timeIntervalSince1970
    let whole = interval.rounded(.down)
    guard let seconds = Int64(exactly: whole) else { return nil }
    self.init(seconds: seconds, nanoseconds: Int32(((interval - whole) * 1e9).rounded()))
  }
}

extension CaptureTime {
  /// Creates the reading of a clock that keeps the time of `timeZone`, with its offset from UTC. Returns nil outside the
  /// years 0…9999, and for offsets that aren't whole minutes.
  public init?(_ date: Date, in timeZone: TimeZone) {
    guard let instant = Instant(date), let offset = UTCOffset(timeZone, at: date),
      let civil = CivilTime(secondsSince1970: instant.seconds + Int64(offset.seconds))
    else { return nil }
    self.init(civil, fraction: SecondFraction(nanoseconds: instant.nanoseconds), offset: offset)
  }

  /// The date that the reading denotes; nil if its offset from UTC isn't known. No time zone is assumed.
  public var date: Date? { instant.map { Date($0) } }

  /// Returns the date that the reading denotes on a clock in `timeZone`. A recorded offset takes precedence. If clocks
  /// there showed the time twice, the earlier date is returned; nil if they never showed it.
  public func date(in timeZone: TimeZone) -> Date? {
    if let date { return date }
    guard let zone = Zone(timeZone) else { return nil }
    switch zone.offsets(forCivil: civil) {
    case .one(let offset), .ambiguous(let offset, _): return Date(instant(at: offset))
    case .nonexistent: return nil
    }
  }
}

extension Zone {
  /// Creates the zone with the rules of a time zone. Returns nil for fixed offsets that aren't whole minutes, and for
  /// names that aren't in the IANA database.
  public init?(_ timeZone: TimeZone) {
    if let name = Name(timeZone.identifier), timeZone.identifier.contains("/") {
      self = .named(name)
    } else if timeZone.nextDaylightSavingTimeTransition == nil, let offset = UTCOffset(timeZone, at: Date()) {
      self = .fixed(offset)
    } else {
      return nil
    }
  }
}

extension UTCOffset {
  /// Creates the offset of a time zone at a date. Returns nil if it isn't whole minutes.
  public init?(_ timeZone: TimeZone, at date: Date) { self.init(seconds: timeZone.secondsFromGMT(for: date)) }
}

extension TimeZone {
  /// Creates the time zone with a fixed offset from UTC.
  public init(_ offset: UTCOffset) { self = TimeZone(secondsFromGMT: offset.seconds) ?? .gmt }
}

extension TimeShift {
  /// Creates the span of a duration, cut to the nanosecond.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(seconds: seconds, nanoseconds: Int32(attoseconds / 1_000_000_000))
  }
}

extension Duration {
  /// Creates the duration of a span.
  public init(_ shift: TimeShift) { self = .seconds(shift.seconds) + .nanoseconds(Int64(shift.nanoseconds)) }
}

extension FilePath {
  /// Creates the path of a file URL, byte for byte. Returns nil for other URLs.
  public init?(fileURL url: URL) {
    guard url.isFileURL else { return nil }
    // A path need not be UTF-8, but Foundation's own conversions require it.
    var bytes: [CInterop.PlatformChar] = []
    var rest = url.path(percentEncoded: true).utf8[...]
    while let byte = rest.popFirst() {
      let digits = String(Substring(rest.prefix(2)))
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        guard value != 0 else { return nil }
        bytes.append(CInterop.PlatformChar(bitPattern: value))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(CInterop.PlatformChar(bitPattern: byte))
      }
    }
    self = FilePath(platformString: bytes + [0])
  }
}

extension URL {
  /// Creates the URL of a file, byte for byte. A relative path starts in the working directory.
  public init(_ path: FilePath) {
    let whole = path.isAbsolute ? path : FilePath(FileManager.default.currentDirectoryPath).pushing(path)
    let plain = CharacterSet.urlPathAllowed
    let text = whole.withPlatformString { name in
      UnsafeBufferPointer(start: name, count: whole.length).map { byte in
        let scalar = Unicode.Scalar(UInt8(bitPattern: byte))
        guard !scalar.isASCII || !plain.contains(scalar) else { return String(scalar) }
        let digits = String(UInt8(bitPattern: byte), radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      }.joined()
    }
    self = URL(string: "file://" + text) ?? URL(filePath: whole.string)
  }
}
