/// Header times of a picture in boxes (CR3, sequences in HEIF): they are never preferred, and change with the picture's
/// date.
extension QuickTime {
  /// Returns the splices for the new times, at the same length.
  ///
  /// - Parameter captured: The capture time before the change.
  package func headerTimes(after edit: MetadataEdit, from captured: CaptureTime?) throws(FileError) -> [Splice] {
    var own = MetadataEdit()
    own.erasesDates = edit.erasesDates
    if !edit.dates.isPartial, let old = captured, let new = old.applying(edit.dates) {
      // As they are in UTC, they stay if only the time zone becomes known.
      let seconds =
        if let before = old.instant, let after = new.instant {
          after.seconds - before.seconds
        } else {
          new.civil.secondsSince1970 - old.civil.secondsSince1970
        }
      own.dates = .adjust(TimeShift(seconds: seconds), offset: .keep)
    }
    return try changes(for: own, isDated: true).times
  }
}
