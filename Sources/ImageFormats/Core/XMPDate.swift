/// A date as XMP writes it (ISO 16684-1, 8.2.1.2): a profile of ISO 8601 that may stop after the year, month or day.
/// EXIF's colons are read too (`2021:09:05 12:00:00`), since programs copy its texts as they are.
package enum XMPDate: Hashable, Sendable {
  case blank
  /// A year, a year and a month, or a whole date without a time.
  case partial(PartialDate)
  /// With the zone as it is written, perhaps empty.
  case time(CaptureTime, zone: String)
  case malformed
}
