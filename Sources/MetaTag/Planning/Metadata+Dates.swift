extension Metadata {
  /// When it was taken as far as that is known, in words: the believed time, else the year, month or day.
  public var takenText: String? { captureTime?.description ?? partialDates.first?.value.description }

  /// Every copy of when it was taken and digitized, in words, by tag and namespace; also a text that is none.
  public var dateCopies: [String: String] {
    let copies =
      (captureTimes + digitizedTimes).map { DateFinding.Statement($0) }
      + partialDates.map { DateFinding.Statement($0) } + additionalDates.map { DateFinding.Statement($0) }
      + captureTexts.map { DateFinding.Statement($0) }
    return Dictionary(copies.map { ("\($0.tag) (\($0.source))", $0.value) }) { first, _ in first }
  }

  /// Texts where dates of taking and digitizing should stand, raw. EXIF DateTime is that of the file's last change.
  public var captureTexts: [Sourced<String>] {
    malformedDates.filter { $0.tag != EXIF.DateTags.modified.name }
  }
}
