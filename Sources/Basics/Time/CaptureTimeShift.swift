extension CaptureTime {
  /// This reading moved by civil arithmetic, the fraction carried exactly; nil outside the years 0…9999.
  ///
  /// The fraction keeps its digits; it gets more only when they are needed, and none when it has none and needs none.
  package func adding(_ shift: TimeShift) -> CaptureTime? {
    let sum = (fraction?.nanoseconds ?? 0) + shift.nanoseconds
    let (carry, nanoseconds) = sum.flooredDivision(by: 1_000_000_000)
    let (seconds, overflow) = shift.seconds.addingReportingOverflow(Int64(carry))
    guard !overflow, let civil = civil.adding(seconds: seconds) else { return nil }
    var new = CaptureTime(civil, fraction: fraction, offset: offset)
    if shift.nanoseconds != 0 {
      new.fraction =
        fraction == nil && nanoseconds == 0
        ? nil : SecondFraction(nanoseconds: nanoseconds, minimumDigits: fraction?.digits.utf8.count ?? 1)
    }
    return new
  }

  /// This reading moved by months, then by a span; nil outside the years 0…9999.
  ///
  /// Without a fraction, and of the anchor's second, it is the anchor as far as it knows, and stays so: 10:00:00 beside
  /// 10:00:00.75 becomes 10:00:01 half a second later. So does one without seconds, of the anchor's minute: 10:00
  /// beside 10:00:07 becomes 10:01 a minute and 40 seconds later, beside 10:01:47.
  package func adding(_ shift: CalendarShift) -> CaptureTime? {
    if fraction == nil, civil.second == 0, shift.span.seconds % 60 != 0 || shift.span.nanoseconds != 0,
      let anchor = shift.anchor?.civil, anchor.second != 0, anchor.adding(seconds: -Int64(anchor.second)) == civil
    {
      return shift.anchor?.adding(shift).flatMap { moved in
        moved.civil.adding(seconds: -Int64(moved.civil.second)).map { CaptureTime($0, offset: offset) }
      }
    }
    if shift.span.nanoseconds != 0, fraction == nil, let anchor = shift.anchor, anchor.fraction != nil,
      anchor.civil == civil
    {
      return anchor.adding(shift).map { CaptureTime($0.civil, offset: offset) }
    }
    guard let civil = civil.adding(months: shift.months) else { return nil }
    return CaptureTime(civil, fraction: fraction, offset: offset).adding(shift.span)
  }
}
