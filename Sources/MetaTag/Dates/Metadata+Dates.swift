extension Metadata {
  /// The capture time in words, as precisely as it is known: the preferred time, otherwise the year, month or day.
  public var takenText: String? { captureTime?.description ?? partialDates.first?.value.description }

  /// Every copy of the capture and digitized times in words, by tag and namespace; includes invalid texts.
  public var dateCopies: [String: String] {
    let copies =
      (captureTimes + digitizedTimes).map { DateFinding.Statement($0) }
      + partialDates.map { DateFinding.Statement($0) } + additionalDates.map { DateFinding.Statement($0) }
      + captureTexts.map { DateFinding.Statement($0) }
    return Dictionary(copies.map { ("\($0.tag) (\($0.source))", $0.value) }) { first, _ in first }
  }

  /// The raw invalid texts in tags for capture and digitized times. Excludes EXIF DateTime, the time of the file's last
  /// change.
  public var captureTexts: [Sourced<String>] {
    malformedDates.filter { $0.tag != EXIF.DateTags.modified.name }
  }
}
