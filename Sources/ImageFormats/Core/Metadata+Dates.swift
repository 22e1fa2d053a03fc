extension Metadata {
  /// Whether a capture date is recorded, even if only a year.
  package var isDated: Bool { captureTime != nil || !partialDates.isEmpty }

  /// Whether only the day of the capture is known.
  package var knowsOnlyDay: Bool {
    captureTime == nil && !partialDates.isEmpty && partialDates.allSatisfy { $0.value.day != nil }
  }

  /// Whether a capture date is recorded that is more than the same day as `time` in less detail.
  package func isDated(besides time: CaptureTime) -> Bool {
    captureTime != nil || partialDates.contains { $0.value.day == nil || !$0.value.contains(time) }
  }

  /// Whether a raw file's sidecar says that only a year, a month or a day is known, which overrides the file. A day
  /// counts only if it is EXIF's date; otherwise it is a less detailed copy.
  package var knowsNoTime: Bool {
    captureTimes.isEmpty && partialDates.contains(where: \.knowsNoTime)
  }
}

extension Sourced<PartialDate> {
  /// Whether the date is known only in part. Otherwise it is a copy without its time of day.
  package var knowsNoTime: Bool { value.day == nil || tag == "exif:DateTimeOriginal" }

  /// The beginning of the day; nil if the day isn't known.
  package var onDay: Sourced<CivilTime>? { value.midnight.map { Sourced<CivilTime>($0, namespace, tag: tag) } }
}
