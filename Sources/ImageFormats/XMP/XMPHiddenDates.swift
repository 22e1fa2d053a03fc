extension XMPPacket {
  /// Whether XMP that isn't edited seems to record a date: by the names and values of its properties, or, if it can't
  /// be parsed, by any text that looks like a day.
  package static func seemsToTellDate(in bytes: Bytes) -> Bool {
    if let packet = try? XMPPacket(bytes) {
      return packet.properties.contains { $0.holdsDate || $0.text.map(holdsFile) ?? false }
    }
    // UTF-16 and UTF-32 are ASCII between NULs.
    let text = bytes.array.filter { $0 != 0 }
    return holdsDay(text) || holdsFile(String(decoding: text, as: UTF8.self))
  }

  /// Whether the text has `2024-05-23` or `2024:05:23`, or a name with `Date` in it.
  private static func holdsDay(_ text: [UInt8]) -> Bool {
    let form: [UInt8?] = Array("dddd-dd-dd".utf8).map { $0 == UInt8(ascii: "d") ? nil : $0 }
    for start in text.indices.dropLast(form.count - 1) {
      let isDay = form.indices.allSatisfy { index in
        let byte = text[start + index]
        return form[index] == nil ? (0x30...0x39).contains(byte) : byte == 0x2D || byte == 0x3A
      }
      if isDay { return true }
    }
    return Bytes(text).firstIndex(of: Array("Date".utf8)) != nil
  }

  /// Whether the text has a JPEG or PNG in base64, which may contain any date.
  private static func holdsFile(_ text: String) -> Bool { text.contains("/9j/") || text.contains("iVBORw0KGgo") }
}
