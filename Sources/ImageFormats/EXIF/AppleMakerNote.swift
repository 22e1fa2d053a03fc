/// The part of Apple's maker note that we read: `Apple iOS`, a version, `MM`, then a TIFF directory whose offsets count
/// from the note's first byte. No standard describes it; exiftool's Apple.pm does.
package enum AppleMakerNote {
  private static let head = Array("Apple iOS\0".utf8)
  /// The offset of the directory, after the head, the version and the byte order.
  private static let directory = 14
  private static let mostEntries = 512
  /// Longer than any UUID as text.
  private static let longestText = 128

  /// Returns the identifier that a Live Photo's still shares with its movie (tag 0x0011); nil if the note has no
  /// identifier.
  package static func contentIdentifier(in note: Bytes) -> String? {
    guard note.has(head), note.has(Array("MM".utf8), at: directory - 2), let count = try? note.u16(directory, .big)
    else { return nil }
    for index in 0..<min(Int(count), mostEntries) {
      let entry = directory + 2 + index * 12
      guard let tag = try? note.u16(entry, .big) else { return nil }
      guard tag == 0x0011 else { continue }
      guard (try? note.u16(entry + 2, .big)) == TIFFType.ascii, let length = try? note.u32(entry + 4, .big),
        (5...longestText).contains(Int(length)), let offset = try? note.u32(entry + 8, .big),
        let text = try? note.bytes(at: Int(offset), count: Int(length))
      else { return nil }
      return String(decoding: text.array.prefix { $0 != 0 }, as: UTF8.self)
    }
    return nil
  }
}
