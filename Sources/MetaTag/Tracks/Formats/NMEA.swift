/// NMEA 0183 sentences of any talker, and Magellan's `$PMGNTRK`. Sentences with the same time of day make one fix, so
/// that logs of mixed rates lose none.
///
/// The date comes from RMC, ZDA or PMGNTRK and applies until the clock passes midnight; dates of earlier fixes are
/// counted backwards from it. Checksums are verified if present.
struct NMEA: TrackFormat {
  let name = "NMEA"

  func recognizes(_ head: [UInt8]) -> Bool {
    head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(200).contains { line in
      guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { return false }
      let type = line[(start + 1)...].prefix { $0 != UInt8(ascii: ",") }
      guard type.count == 5 || type.count == 7 else { return false }
      return type.elementsEqual("PMGNTRK")
        || ["RMC", "GGA", "GLL", "GNS", "GSA", "GSV", "VTG", "ZDA", "WPL", "RTE"]
          .contains(String(decoding: type.dropFirst(2), as: UTF8.self))
    }
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var input = input
    var log = NMEALog()
    while let (range, isWhole) = try input.line() {
      guard let start = input.bytes[range].firstIndex(of: UInt8(ascii: "$")) else { continue }
      var line = input.bytes[start + 1..<range.upperBound]
      if let star = line.lastIndex(of: UInt8(ascii: "*")) {
        let sum = line[..<star].reduce(0) { $0 ^ $1 }
        guard UInt8(hex: line[(star + 1)...].prefix(2)) == sum else {
          builder.reject(.badCheckSum)
          continue
        }
        line = line[..<star]
      } else if !isWhole {
        // In a truncated file, the last number may be cut off and so be another one.
        builder.noteEnd(at: input.position)
        continue
      }
      log.take(line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false), into: &builder)
    }
    log.finish(into: &builder)
  }
}

extension UInt8 {
  /// Parses two hexadecimal digits.
  fileprivate init?(hex: ArraySlice<UInt8>) {
    guard hex.count == 2, let value = UInt8(String(decoding: hex, as: UTF8.self), radix: 16) else { return nil }
    self = value
  }
}

/// The fixes of an NMEA log while its sentences are read.
struct NMEALog {
  /// The data of all sentences with one time of day.
  private struct Epoch {
    let time: ClockTime
    var draft = PointDraft()
    /// Midnight of the date, if a sentence contained it.
    var date: Int64?
  }

  private var epoch: Epoch?
  /// Fixes before the first date, kept until that is known.
  private var undated: [Epoch] = []
  private var last: (date: Int64, time: ClockTime)?

  init() {}

  mutating func take(_ fields: [ArraySlice<UInt8>], into builder: inout TrackBuilder) {
    guard let type = fields.first else { return }
    let field = { (index: Int) in index < fields.count ? fields[index] : [] }
    let number = { (index: Int) in PlainText.number(field(index)) }
    switch type.elementsEqual("PMGNTRK") ? "TRK" : String(decoding: type.dropFirst(2), as: UTF8.self) {
    case "RMC":
      guard begin(field(1), &builder) else { return }
      place(field(3), field(4), field(5), field(6))
      if !field(2).elementsEqual("A") || field(12).elementsEqual("N") { epoch?.draft.rejection = .noFix }
      epoch?.draft.speed = number(7).map { $0 * Units.knot }
      epoch?.draft.course = number(8)
      set(\.date, Int64(ddmmyy: field(9)))
    case "GGA", "GNS":
      guard begin(field(1), &builder) else { return }
      place(field(2), field(3), field(4), field(5))
      // No fix, entered by hand, simulated.
      let isFix =
        type.suffix(3).elementsEqual("GGA")
        ? !["0", "7", "8"].contains { field(6).elementsEqual($0) }
        : field(6).contains { ![0x4D, 0x4E, 0x53].contains($0) }
      if !isFix || field(6).isEmpty { epoch?.draft.rejection = .noFix }
      epoch?.draft.altitude = number(9)
      if epoch?.draft.dilution == nil { set(\.draft.dilution, number(8)) }
    case "GLL":
      guard begin(field(5), &builder) else { return }
      place(field(1), field(2), field(3), field(4))
      if field(6).elementsEqual("V") { epoch?.draft.rejection = .noFix }
    case "GSA":
      set(\.draft.dilution, number(15))
    case "VTG":
      set(\.draft.course, number(1))
      set(\.draft.speed, number(5).map { $0 * Units.knot })
    case "ZDA":
      guard let time = ClockTime(field(1)), let day = Int64(digits: field(2)), let month = Int64(digits: field(3)),
        let year = Int64(digits: field(4)),
        let date = CivilTime(year: Int(year), month: Int(month), day: Int(day))?.secondsSince1970
      else { return }
      if epoch?.time == time {
        epoch?.date = date
      } else {
        // This date precedes its fix; the fix before it may be of the previous day.
        endEpoch(&builder)
        setDate(date, time, &builder)
      }
    case "TRK":
      guard begin(field(7), &builder) else { return }
      place(field(1), field(2), field(3), field(4))
      if !field(8).elementsEqual("A") { epoch?.draft.rejection = .noFix }
      epoch?.draft.altitude = number(5).map { field(6).elementsEqual("F") ? $0 * Units.foot : $0 }
      epoch?.date = Int64(ddmmyy: field(10))
    default: return
    }
  }

  mutating func finish(into builder: inout TrackBuilder) {
    endEpoch(&builder)
    for _ in undated { builder.reject(.noDate) }
    undated = []
  }

  /// Continues the fix of this time of day, or begins one; returns false without a time.
  private mutating func begin(_ text: ArraySlice<UInt8>, _ builder: inout TrackBuilder) -> Bool {
    guard let time = ClockTime(text) else {
      builder.reject(text.isEmpty ? .noFix : .malformedTime)
      return false
    }
    if epoch?.time != time {
      endEpoch(&builder)
      epoch = Epoch(time: time)
    }
    return true
  }

  /// Sets a member; nil leaves the earlier value.
  private mutating func set<Value>(_ member: WritableKeyPath<Epoch, Value?>, _ value: Value?) {
    if let value { epoch?[keyPath: member] = value }
  }

  private mutating func place(
    _ latitude: ArraySlice<UInt8>, _ north: ArraySlice<UInt8>, _ longitude: ArraySlice<UInt8>, _ east: ArraySlice<UInt8>
  ) {
    guard epoch?.draft.latitude == nil else { return }
    epoch?.draft.latitude = PlainText.degrees(latitude, north, positive: "N", negative: "S")
    epoch?.draft.longitude = PlainText.degrees(longitude, east, positive: "E", negative: "W")
  }

  private mutating func endEpoch(_ builder: inout TrackBuilder) {
    guard var ended = epoch else { return }
    epoch = nil
    if let date = ended.date {
      setDate(date, ended.time, &builder)
    } else if let last {
      self.last = (ended.time.isDayAfter(last.time) ? last.date + 86_400 : last.date, ended.time)
    } else {
      undated.append(ended)
      return
    }
    if let last { ended.draft.instant = ended.time.instant(onDay: last.date) }
    ended.draft.finish(into: &builder)
  }

  /// Sets the date, and so those of the fixes that wait for one.
  private mutating func setDate(_ date: Int64, _ time: ClockTime, _ builder: inout TrackBuilder) {
    var (day, next) = (date, time)
    for index in undated.indices.reversed() {
      if next.isDayAfter(undated[index].time) { day -= 86_400 }
      next = undated[index].time
      undated[index].draft.instant = next.instant(onDay: day)
    }
    for waiting in undated { waiting.draft.finish(into: &builder) }
    undated = []
    last = (date, time)
  }
}

extension PlainText {
  /// Parses a text that is nothing but a number.
  static func number(_ text: ArraySlice<UInt8>) -> Double? {
    text.isEmpty ? nil : number(Array(text), 0..<text.count)
  }

  /// Parses `ddmm.mmm` or `dddmm.mmm` and its letter; nil for anything else.
  static func degrees(
    _ text: ArraySlice<UInt8>, _ letter: ArraySlice<UInt8>, positive: StaticString, negative: StaticString
  ) -> Double? {
    guard let value = number(text), value >= 0, value < 36_000 else { return nil }
    let degrees = (value / 100).rounded(.down)
    let minutes = value - degrees * 100
    guard minutes < 60 else { return nil }
    // Keep whole numbers as long as possible, so that one division rounds once.
    let result = (degrees * 60 + minutes) / 60
    if letter.elementsEqual(positive) { return result }
    return letter.elementsEqual(negative) ? -result : nil
  }
}

/// A time of day without a date, as receivers write it. Dates arrive separately, now and then.
struct ClockTime: Hashable {
  /// The nanoseconds since midnight; a leap second counts to the next day.
  let nanoseconds: Int64
  static let day: Int64 = 86_400 * 1_000_000_000

  /// Parses `hhmmss` and a fraction: `235959.25`; nil for anything else.
  init?(_ text: ArraySlice<UInt8>) {
    guard let number = Int64(digits: text.prefix(6)), text.count >= 6, number / 10_000 < 24,
      number / 100 % 100 < 60, number % 100 <= 60
    else { return nil }
    var fraction: Int64 = 0
    if text.count > 6 {
      let digits = text.dropFirst(7)
      guard text[text.startIndex + 6] == UInt8(ascii: "."), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      var unit: Int64 = 100_000_000
      for digit in digits.prefix(9) {
        fraction += Int64(digit - 0x30) * unit
        unit /= 10
      }
    }
    let seconds = number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100
    nanoseconds = seconds * 1_000_000_000 + fraction
  }

  /// Returns this time on the day that begins at `midnight`, in seconds since 1970.
  func instant(onDay midnight: Int64) -> Instant {
    Instant(seconds: midnight + nanoseconds / 1_000_000_000, nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }

  /// Whether midnight passed between `earlier` and this time: the clock went back by more than half a day.
  func isDayAfter(_ earlier: ClockTime) -> Bool { earlier.nanoseconds - nanoseconds > ClockTime.day / 2 }
}

extension Int64 {
  /// Parses decimal digits and nothing else, 15 at most.
  init?(digits: ArraySlice<UInt8>) {
    guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Parses `ddmmyy` to its midnight in seconds since 1970. Two-digit years from 80 on are in the last century.
  init?(ddmmyy text: ArraySlice<UInt8>) {
    guard text.count == 6, let number = Int64(digits: text) else { return nil }
    let year = Int(number % 100)
    guard
      let day = CivilTime(
        year: year + (year < 80 ? 2_000 : 1_900), month: Int(number / 100 % 100), day: Int(number / 10_000))
    else { return nil }
    self = day.secondsSince1970
  }
}
