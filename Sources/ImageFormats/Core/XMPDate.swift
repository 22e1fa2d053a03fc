/// A date as XMP writes it (ISO 16684-1, 8.2.1.2): a profile of ISO 8601 that may end after the year, month or day.
/// EXIF's colons are accepted too (`2021:09:05 12:00:00`), since programs copy EXIF texts unchanged.
package enum XMPDate: Hashable, Sendable {
  case blank
  /// A year, a year and a month, or a whole date without a time.
  case partial(PartialDate)
  /// A time with its zone as written, possibly empty.
  case time(CaptureTime, zone: String)
  case malformed
}
