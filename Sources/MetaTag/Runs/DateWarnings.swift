extension MetadataEdit {
  /// Warnings about an edit that is applied as requested: a day that was cut to the end of its month, and a date more
  /// than a day later than `now`.
  func warnings(before: Metadata, after: Metadata?, now: Instant?) -> [String] {
    [clamping(of: before), future(after, now)].compactMap(\.self)
  }

  /// Texts in date tags that are no dates and stay unchanged while other dates change.
  func staying(in after: Metadata?) -> [String] {
    guard dates != .keep, let after else { return [] }
    return after.captureTexts.map { DateFinding.Statement($0) }.map { text in
      "\(text.tag) (\(text.source)) says '\(text.value)', which is no date, and stays"
    }
  }

  private func clamping(of before: Metadata) -> String? {
    guard case .adjust(let shift, _) = dates,
      let date = before.captureTime?.civil ?? before.partialDates.first?.value.midnight, let day = shift.clamping(date)
    else { return nil }
    let months = CalendarShift(months: shift.months)
    return "\("\(date)".prefix(10)) and \(months) is \("\(day)".prefix(10)), the last day of its month"
  }

  private func future(_ after: Metadata?, _ now: Instant?) -> String? {
    guard dates != .keep, let now else { return nil }
    let year = after?.partialDates.first?.value.first.map { CaptureTime($0) }
    guard let time = after?.captureTime ?? year else { return nil }
    return time.isFuture(at: now) ? "its date is in the future" : nil
  }
}
