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
  private static let metresPerSecondInKnot = 1_852.0 / 3_600

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
      epoch?.draft.speed = number(7).map { $0 * NMEALog.metresPerSecondInKnot }
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
      set(\.draft.speed, number(5).map { $0 * NMEALog.metresPerSecondInKnot })
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
      epoch?.draft.altitude = number(5).map { field(6).elementsEqual("F") ? $0 * 0.3048 : $0 }
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
