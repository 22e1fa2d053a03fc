/// A tag of any namespace, described by exiv2's dictionary.
public struct TagDump: Hashable, Sendable {
  /// exiv2's name: `Exif.Photo.DateTimeOriginal`, `Iptc.Application2.City`, `Xmp.dc.title`.
  public let key: String
  /// exiv2's name of the type: `Ascii`, `Rational`, `LangAlt`.
  public let type: String
  /// The meaning of the value, in English; only the length for binary values over 4 KiB.
  public let text: String
  /// The stored value as text; numbers are separated by spaces. Empty for binary values over 4 KiB.
  public let raw: String

  package init(key: String, type: String, text: String, raw: String) {
    self.key = key
    self.type = type
    self.text = text
    self.raw = raw
  }
}
