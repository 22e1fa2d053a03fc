/// Data that archive programs and Insta360's cameras append to a JPEG, as ExifTool describes it. It is not read, but
/// may hold IPTC data or positions.
enum JPEGTrailer {
  private static let mostParts = 64

  /// Returns the name of the last trailer, if it holds IPTC data, and the offset of its index.
  static func texts(of source: any ByteSource) throws(FileError) -> (name: String, offset: Int)? {
    guard source.count >= 12 else { return nil }
    let tail = try source.bytes(source.count - 12..<source.count)
    if try MovieTelemetry.endsWithInsta360(source) { return ("Insta360", source.count - tail.count) }
    if tail.has(Array("AXS".utf8)) { return try afcp(tail, source).map { ("AFCP", $0) } }
    return try fotoStation(source).map { ("FotoStation", $0) }
  }

  /// Reads the AXS File Concatenation Protocol: its end records the start of the list of parts, counted from the file's
  /// start.
  private static func afcp(_ tail: Bytes, _ source: any ByteSource) throws(FileError) -> Int? {
    let order: Bytes.Order = try tail.u8(3) == 0x21 ? .big : .little
    let start = Int(try tail.u32(4, order))
    let head = try source.prefix(at: min(start, source.count), count: 12 * (mostParts + 1))
    // If the list is missing or incomplete, its parts may be anything.
    guard head.has(try tail.bytes(0..<4).array), head.count >= 12 else { return source.count - 12 }
    let count = Int(try head.u16(6, order))
    guard count <= head.count / 12 - 1 else { return start }
    return (0..<count).first { head.has(Array("IPTC".utf8), at: 12 + 12 * $0) }.map { start + 12 + 12 * $0 }
  }

  /// Reads consecutive parts, each with its kind and length at its end.
  private static func fotoStation(_ source: any ByteSource) throws(FileError) -> Int? {
    var end = source.count
    for _ in 0..<mostParts where end >= 10 {
      let mark = try source.bytes(end - 10..<end)
      let count = Int(try mark.u32(2, .big))
      guard mark.has([0xA1, 0xB2, 0xC3, 0xD4], at: 6), (10...end).contains(count) else { return nil }
      if try mark.u16(0, .big) == 1 { return end - count }
      end -= count
    }
    return nil
  }
}
