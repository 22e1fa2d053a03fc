extension Proposal {
  /// Creates the proposal that `plan` returns. If `plan` throws `.asWanted`, the photo is unchanged; for other reasons,
  /// it is skipped.
  init(_ plan: () throws(Reason) -> Proposal) {
    do throws(Reason) {
      self = try plan()
    } catch {
      self = error == .asWanted ? .unchanged(error) : .skip(error)
    }
  }

  /// Returns a proposal that changes only the dates.
  static func dates(_ dates: DateChange, because explanation: Explanation) -> Proposal {
    var edit = MetadataEdit()
    edit.dates = dates
    return .change(edit, because: explanation)
  }

  /// Returns a proposal for the date that `find` returns, unless the photo's own date must stay. A time replaces a
  /// recorded day if it lies on that day: it is more precise and no contradiction.
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
  /// Creates the time that a clock at this offset showed at `instant`.
  /// - Throws: `.outsideCalendar` outside the years 0 to 9999.
  init(_ instant: Instant, at offset: UTCOffset) throws(Reason) {
    guard let civil = CivilTime(secondsSince1970: instant.seconds + Int64(offset.seconds)) else {
      throw .outsideCalendar
    }
    let fraction = instant.nanoseconds == 0 ? nil : SecondFraction(nanoseconds: instant.nanoseconds)
    self.init(civil, fraction: fraction, offset: offset)
  }
}
