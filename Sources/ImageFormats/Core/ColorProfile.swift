/// An ICC profile that a file embeds.
enum ColorProfile {
  /// Returns the description of an ICC profile, in English if it has that: of the types `desc` (ICC.1:2001, 6.5.17) and
  /// `mluc` (ICC.1:2010, 10.13).
  /// - Parameter profile: The profile, or its beginning, if that has the description.
  static func name(in profile: Bytes) -> String? {
    guard profile.has("acsp".utf8, at: 36), let count = try? profile.u32(128, .big) else { return nil }
    for index in 0..<min(Int(count), 100) {
      let entry = 132 + 12 * index
      guard profile.has("desc".utf8, at: entry), let start = try? profile.u32(entry + 4, .big),
        let length = try? profile.u32(entry + 8, .big)
      else { continue }
      let text = try? profile.prefix(at: Int(start), count: min(Int(length), 65_536))
      return text.flatMap(text(in:)).flatMap { $0.isEmpty ? nil : $0 }
    }
    return nil
  }

  private static func text(in description: Bytes) -> String? {
    if description.has("desc".utf8), let length = try? description.u32(8, .big) {
      let text = try? description.prefix(at: 12, count: Int(length)).array.prefix { $0 != 0 }
      return text.map { String(decoding: $0, as: UTF8.self) }
    }
    guard description.has("mluc".utf8), let count = try? description.u32(8, .big) else { return nil }
    let records = (0..<min(Int(count), 100)).map { 16 + 12 * $0 }
    guard let record = records.first(where: { description.has("en".utf8, at: $0) }) ?? records.first,
      let length = try? description.u32(record + 4, .big), let start = try? description.u32(record + 8, .big),
      let text = try? description.bytes(at: Int(start), count: Int(length))
    else { return nil }
    let units = stride(from: 0, to: text.count - 1, by: 2).compactMap { try? text.u16($0, .big) }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
