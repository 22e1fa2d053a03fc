/// EXIF tags (CIPA DC-008 3.0) in a TIFF block: reading and writing of time, place and camera.
package enum EXIF {
  /// The three tags that hold one date.
  package struct DateTags: Sendable {
    package let name: String
    package let date: UInt16
    package let fraction: UInt16
    package let offset: UInt16
    package let ifd: IFD

    package static let original = DateTags(
      name: "DateTimeOriginal", date: TIFFTag.dateTimeOriginal, fraction: TIFFTag.subSecTimeOriginal,
      offset: TIFFTag.offsetTimeOriginal, ifd: .exif)
    /// DateTimeOriginal in IFD0, where TIFF/EP (ISO 12234-2) puts it and some raw files repeat it. Never added.
    static let originalInMain = DateTags(
      name: "IFD0:DateTimeOriginal", date: TIFFTag.dateTimeOriginal, fraction: TIFFTag.subSecTimeOriginal,
      offset: TIFFTag.offsetTimeOriginal, ifd: .ifd0)
    package static let digitized = DateTags(
      name: "DateTimeDigitized", date: TIFFTag.dateTimeDigitized, fraction: TIFFTag.subSecTimeDigitized,
      offset: TIFFTag.offsetTimeDigitized, ifd: .exif)
    /// DateTimeDigitized in IFD0, where scanners write it. Never added.
    static let digitizedInMain = DateTags(
      name: "IFD0:DateTimeDigitized", date: TIFFTag.dateTimeDigitized, fraction: TIFFTag.subSecTimeDigitized,
      offset: TIFFTag.offsetTimeDigitized, ifd: .ifd0)
    package static let modified = DateTags(
      name: "DateTime", date: TIFFTag.dateTime, fraction: TIFFTag.subSecTime, offset: TIFFTag.offsetTime, ifd: .ifd0)

    /// Whether the tags hold the date of digitizing.
    var isDigitized: Bool { date == TIFFTag.dateTimeDigitized }
  }

  /// The content of a date tag.
  package enum DateReading: Hashable, Sendable {
    /// No tag, or only blanks or zeros, which EXIF 4.6.5 defines as unknown.
    case absent
    case time(CaptureTime)
    /// A date with blanks for the time of day, and possibly blanks or zeros for day and month.
    case partial(PartialDate)
    /// A text that is not a valid date and time.
    case malformed(String)
  }
}

extension EXIF {
  /// Adds the block's data to `metadata`.
  package static func read(_ block: TIFFBlock, into metadata: inout Metadata) {
    for tags in [DateTags.original, .originalInMain, .digitized, .digitizedInMain, .modified] {
      readForm(of: tags, in: block, into: &metadata)
    }
    let original = read(.original, of: block, into: &metadata.captureTimes, malformed: &metadata.malformedDates)
    _ = read(.originalInMain, of: block, into: &metadata.captureTimes, malformed: &metadata.malformedDates)
    if case .partial(let date) = original {
      metadata.partialDates.append(Sourced(date, .exif, tag: DateTags.original.name))
    }
    for tags in [DateTags.digitized, .digitizedInMain] {
      let digitized = read(tags, of: block, into: &metadata.digitizedTimes, malformed: &metadata.malformedDates)
      if case .partial(let date) = digitized, let day = date.midnight {
        metadata.digitizedDays.append(Sourced(day, .exif, tag: tags.name))
      }
    }
    switch date(.modified, of: block) {
    case .absent, .partial: break
    case .time(let time): metadata.modifyTime = time
    case .malformed(let text): metadata.malformedDates.append(Sourced(text, .exif, tag: DateTags.modified.name))
    }
    for tags in [DateTags.original, .digitized, .modified] {
      guard let text = block.text(of: tags.offset, in: .exif), !isBlank(text), UTCOffset(text) == nil else { continue }
      let tag = tags.name.replacing("DateTime", with: "OffsetTime")
      metadata.malformedOffsets.append(Sourced(text, .exif, tag: tag))
    }
    let place = location(of: block)
    switch place {
    case .absent: break
    case .place(let location): metadata.locations.append(Sourced(location, .exif, tag: "GPSLatitude"))
    case .unusable(let reason, let isWhole):
      metadata.add(unreadPlace: reason, .exif, tag: "GPSLatitude", isWhole: isWhole)
    }
    switch destination(of: block) {
    case .absent: break
    case .place(let place): metadata.additionalPlaces.append(Sourced(place, .exif, tag: "GPSDestLatitude"))
    case .unusable(let reason): metadata.unreadPlaces.append(Sourced(reason, .exif, tag: "GPSDestLatitude"))
    }
    if let time = timeWithoutPlace(place, of: block) {
      metadata.satelliteTimes.append(Sourced(time, .exif, tag: "GPSTimeStamp"))
    }
    metadata.make = metadata.make ?? block.text(of: TIFFTag.make, in: .ifd0)
    metadata.model = metadata.model ?? block.text(of: TIFFTag.model, in: .ifd0)
    metadata.serialNumber = metadata.serialNumber ?? block.text(of: TIFFTag.bodySerialNumber, in: .exif)
    metadata.lensModel = metadata.lensModel ?? block.text(of: TIFFTag.lensModel, in: .exif)
    readFields(of: block, into: &metadata)
    if let orientation = orientation(in: block), (1...8).contains(orientation) { metadata.orientation = orientation }
  }

  /// Returns the recorded orientation, also if a program wrote it as a signed number.
  private static func orientation(in block: TIFFBlock) -> Int? {
    if let number = block.integer(of: TIFFTag.orientation, in: .ifd0) { return number }
    guard let entry = block.ifd0[TIFFTag.orientation], entry.type == TIFFType.signedLong, let raw = block.raw(entry)
    else { return nil }
    return (try? raw.u32(0, block.order)).flatMap { Int(exactly: $0) }
  }

  /// Reads one date and adds it to the times, or to the malformed dates.
  private static func read(
    _ tags: DateTags, of block: TIFFBlock, into times: inout [Sourced<CaptureTime>],
    malformed: inout [Sourced<String>]
  ) -> DateReading {
    let reading = date(tags, of: block)
    switch reading {
    case .absent, .partial: break
    case .time(let time): times.append(Sourced(time, .exif, tag: tags.name))
    case .malformed(let text): malformed.append(Sourced(text, .exif, tag: tags.name))
    }
    return reading
  }

  private static func readForm(of tags: DateTags, in block: TIFFBlock, into metadata: inout Metadata) {
    guard let text = block.text(of: tags.date, in: tags.ifd), !isBlank(text) else { return }
    let right = CivilTime(exif: text)?.exifText ?? PartialDate(exif: text)?.exifText.trimmed
    guard let right, text != right else { return }
    metadata.irregularDates.append(Sourced(text, .exif, tag: tags.name))
  }

  /// Reads one date with its own fraction and offset, never those of another date.
  package static func date(_ tags: DateTags, of block: TIFFBlock) -> DateReading {
    guard let text = block.text(of: tags.date, in: tags.ifd), !isBlank(text) else { return .absent }
    guard let civil = CivilTime(exif: text) else {
      return PartialDate(exif: text).map { .partial($0) } ?? .malformed(text)
    }
    return .time(
      CaptureTime(
        civil,
        fraction: block.text(of: tags.fraction, in: .exif).flatMap { SecondFraction(digits: $0.prefix(9)) },
        offset: block.text(of: tags.offset, in: .exif).flatMap { UTCOffset($0) }))
  }

  /// Whether the text has only blanks, zeros and separators.
  private static func isBlank(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x30 || $0 == 0x3A || $0 == 0x2D || $0 == 0x2F }
  }
}

extension CivilTime {
  /// Reads `2024:05:23 18:38:41`. Also accepts fewer digits or blanks for leading zeros (`2024:5:3  8:3:1`), except in
  /// the year: the century of `24` is unknown. Returns nil for other separators, missing parts, and times that don't
  /// exist.
  package init?(exif text: String) {
    var text = text
    guard let time = text.withUTF8({ CivilTime(exif: $0[...]) }) else { return nil }
    self = time
  }

  private init?(exif bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var text = bytes
    func number() -> Int? {
      text = text.drop { $0 == 0x20 }
      let digits = text.prefix(4).prefix { (0x30...0x39).contains($0) }
      text = text.dropFirst(digits.count)
      return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    func separated() -> Bool { text.popFirst() == 0x3A }
    let yearCount = text.drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }.count
    guard yearCount == 4, let year = number(), separated(), let month = number(), separated(), let day = number(),
      text.first == 0x20,
      let hour = number(), separated(), let minute = number(), separated(), let second = number(), text.isEmpty
    else { return nil }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// `2024:05:23 18:38:41`.
  package var exifText: String { text(between: ":", " ") }
}
