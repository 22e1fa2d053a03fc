/// Headers of a picture in boxes (CR3, sequences in HEIF): they are never believed, and follow its date.
extension QuickTime {
  /// What they are to say, each as long as it was.
  ///
  /// - Parameter captured: When the picture was taken, before the change.
  /// - Throws: `refused` when one would leave what it can hold.
  package func headerTimes(after edit: MetadataEdit, from captured: CaptureTime?) throws(FileError) -> [Splice] {
    var own = MetadataEdit()
    own.erasesDates = edit.erasesDates
    if !edit.dates.isPartial, let old = captured, let new = old.applying(edit.dates) {
      // In UTC, they stay where only the zone becomes known.
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
