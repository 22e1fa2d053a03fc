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
    /// A text that is no valid date and time.
    case malformed(String)
  }
}
