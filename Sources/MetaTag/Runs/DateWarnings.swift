extension MetadataEdit {
  /// Warnings about an edit that is applied as requested: a day that was cut to the end of its month, and a date more
  /// than a day later than `now`.
  func warnings(before: Metadata, after: Metadata?, now: Instant?) -> [Note] {
    [clamping(of: before), future(after, now)].compactMap(\.self)
  }

  /// Texts in date tags that are no dates and stay unchanged while other dates change.
  func staying(in after: Metadata?) -> [Note] {
    guard dates != .keep, let after else { return [] }
    return after.captureTexts.map { DateFinding.Statement($0) }.map { text in
      Note(.textKept, "keeps '\(text.value)' in \(text.tag) (\(text.source)), which is no date")
    }
  }

  private func clamping(of before: Metadata) -> Note? {
    guard case .adjust(let shift, _) = dates,
      let date = before.captureTime?.civil ?? before.partialDates.first?.value.midnight, let day = shift.clamping(date)
    else { return nil }
    let months = CalendarShift(months: shift.months)
    return Note(
      .lastDayOfMonth, "\("\(date)".prefix(10)) and \(months) is \("\(day)".prefix(10)), the last day of its month")
  }

  private func future(_ after: Metadata?, _ now: Instant?) -> Note? {
    guard dates != .keep, let now else { return nil }
    let year = after?.partialDates.first?.value.first.map { CaptureTime($0) }
    guard let time = after?.captureTime ?? year else { return nil }
    return time.isFuture(at: now) ? Note(.dateInFuture, "the date is in the future") : nil
  }
}
