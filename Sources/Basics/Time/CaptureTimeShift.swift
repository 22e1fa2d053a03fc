extension CaptureTime {
  /// Returns this time shifted by civil arithmetic, with the fraction carried exactly; nil outside the years 0…9999.
  ///
  /// The fraction keeps its number of digits and gets more only if necessary. A time without a fraction gets one only
  /// if necessary.
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

  /// Returns this time shifted by months, then by a span; nil outside the years 0…9999.
  ///
  /// A time without a fraction, in the same second as the anchor, is a truncated copy of the anchor and stays one: next
  /// to an anchor of 10:00:00.75, half a second later, 10:00:00 becomes 10:00:01. The same applies to a time without
  /// seconds in the anchor's minute: next to an anchor of 10:00:07, a minute and 40 seconds later, 10:00 becomes 10:01
  /// (the anchor 10:01:47).
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
