extension Proposal {
  /// What `plan` makes of a photo; a reason that it throws is why nothing is done.
  init(_ plan: () throws(Reason) -> Proposal) {
    do throws(Reason) {
      self = try plan()
    } catch {
      self = error == .asWanted ? .unchanged(error) : .skip(error)
    }
  }

  /// This change of the dates alone.
  static func dates(_ dates: DateChange, because explanation: Explanation) -> Proposal {
    var edit = MetadataEdit()
    edit.dates = dates
    return .change(edit, because: explanation)
  }

  /// The date that `find` finds, unless the photo has one that is to stay. A day gives way to a time on it, which says
  /// more and contradicts nothing.
  static func date(
    for metadata: Metadata, _ overwrite: Overwrite,
    _ find: () throws(Reason) -> (time: CaptureTime, because: Explanation)
  ) -> Proposal {
    guard !metadata.isDated || metadata.knowsOnlyDay || overwrite == .replace else {
      return .unchanged(.hasCaptureTime)
    }
    return Proposal { () throws(Reason) in
      let found = try find()
      guard !metadata.isDated(besides: found.time) || overwrite == .replace else { return .unchanged(.hasCaptureTime) }
      guard metadata.captureTime != found.time else { throw .asWanted }
      return .dates(.set(found.time), because: found.because)
    }
  }
}

extension CaptureTime {
  /// What a clock of this offset showed at `instant`.
  /// - Throws: `.outsideCalendar` outside the years 0 to 9999.
  init(_ instant: Instant, at offset: UTCOffset) throws(Reason) {
    guard let civil = CivilTime(secondsSince1970: instant.seconds + Int64(offset.seconds)) else {
      throw .outsideCalendar
    }
    let fraction = instant.nanoseconds == 0 ? nil : SecondFraction(nanoseconds: instant.nanoseconds)
    self.init(civil, fraction: fraction, offset: offset)
  }
}
