/// Texts whose first eight bytes name their encoding (EXIF 3.0, 4.6.6, UserComment).
extension EXIF {
  private static let ascii = Array("ASCII\0\0\0".utf8)
  private static let unicode = Array("UNICODE\0".utf8)
  private static let unnamed = [UInt8](repeating: 0, count: 8)

  /// Returns the text, trimmed, in a block of that byte order; nil if it is empty.
  package static func comment(_ raw: Bytes, _ order: Bytes.Order) -> String? {
    guard raw.count > 8 else { return nil }
    let text: String
    if raw.has(unicode) {
      let units = stride(from: 8, to: raw.count - 1, by: 2).compactMap { try? raw.u16($0, order) }
      text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    } else if raw.has(ascii) || raw.has(unnamed) {
      text = String(decoding: raw.array.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
    } else {
      text = String(decoding: raw.array.prefix { $0 != 0 }, as: UTF8.self)
    }
    let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// Encodes in ASCII if possible, else in UTF-16, as exiftool and exiv2 do.
  package static func encoded(comment text: String, _ order: Bytes.Order) -> [UInt8] {
    text.utf8.allSatisfy { $0 < 0x80 } ? ascii + Array(text.utf8) : unicode + text.utf16.flatMap { $0.bytes(order) }
  }
}
