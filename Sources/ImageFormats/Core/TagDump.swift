/// A value of any namespace, as exiv2's dictionary tells it.
public struct TagDump: Hashable, Sendable {
  /// exiv2's name: `Exif.Photo.DateTimeOriginal`, `Iptc.Application2.City`, `Xmp.dc.title`.
  public let key: String
  /// exiv2's name of the type: `Ascii`, `Rational`, `LangAlt`.
  public let type: String
  /// What the value means, in English. Of binary values over 4 KiB, only their length.
  public let text: String
  /// What is stored, as text; numbers are separated by spaces. Empty for binary values over 4 KiB.
  public let raw: String

  package init(key: String, type: String, text: String, raw: String) {
    self.key = key
    self.type = type
    self.text = text
    self.raw = raw
  }
}
