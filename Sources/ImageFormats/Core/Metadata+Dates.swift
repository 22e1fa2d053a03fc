extension Metadata {
  /// Whether it says when it was taken, if only the year.
  package var isDated: Bool { captureTime != nil || !partialDates.isEmpty }

  /// Whether nothing but a day is known of when it was taken.
  package var knowsOnlyDay: Bool {
    captureTime == nil && !partialDates.isEmpty && partialDates.allSatisfy { $0.value.day != nil }
  }

  /// Whether it says when it was taken, and `time` doesn't merely say that day more exactly.
  package func isDated(besides time: CaptureTime) -> Bool {
    captureTime != nil || partialDates.contains { $0.value.day == nil || !$0.value.contains(time) }
  }

  /// Whether this, a raw file's sidecar, says that no more is known than a year, a month or a day, whatever the file
  /// says. A day stands for EXIF's date then; where it doesn't, it is a copy that knows less.
  package var knowsNoTime: Bool {
    captureTimes.isEmpty && partialDates.contains(where: \.knowsNoTime)
  }
}

extension Sourced<PartialDate> {
  /// Whether it stands for a date, and not for a copy that merely leaves out its time of day.
  package var knowsNoTime: Bool { value.day == nil || tag == "exif:DateTimeOriginal" }

  /// The same as the day's beginning; nil where the day isn't known.
  package var onDay: Sourced<CivilTime>? { value.midnight.map { Sourced<CivilTime>($0, namespace, tag: tag) } }
}
