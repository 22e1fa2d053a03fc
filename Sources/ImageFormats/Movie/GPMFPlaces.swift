/// Positions in GoPro's telemetry, by GoPro's own description of the format (GPMF): items with a four-letter key, a
/// type, a size and a count, in nested lists. Each sensor has its own stream (`STRM`), so positions can be erased
/// without the camera's motion.
enum GPMFPlaces {
  private static let stream: FourCC = "STRM"
  /// The key that GoPro's own library uses for unused space.
  private static let room: FourCC = "FREE"
  /// Keys of positions other than those that begin with `GPS`: of Karma, and of its remote control.
  private static let others: Set<FourCC> = ["GPRI", "GLPI"]
  /// The limit of nested lists.
  private static let mostLevels: Int = 8

  /// Returns splices that turn every stream with positions in a chunk of samples into unused space of zeros, with the
  /// same length.
  /// - Throws: `.refused` when an item can't be read.
  static func erasures(in chunk: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    let bytes = try source.bytes(chunk)
    return try places(in: bytes, 0..<bytes.count, level: 0).map { item throws(FileError) in
      // The type becomes characters instead of a list; the size stays.
      let header = room.bytes + [UInt8(ascii: "c")] + (try bytes.bytes(item.lowerBound + 5..<item.lowerBound + 8).array)
      let range = chunk.lowerBound + item.lowerBound..<chunk.lowerBound + item.upperBound
      return Splice(range, header + [UInt8](repeating: 0, count: item.count - header.count))
    }
  }

  private static func places(
    in bytes: Bytes, _ range: Range<Int>, level: Int
  ) throws(FileError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = range.lowerBound
    while at <= range.upperBound - 8 {
      let key = FourCC(rawValue: try bytes.u32(at, .big))
      // Padding up to the next sample.
      if key.rawValue == 0 {
        at += 4
        continue
      }
      let (type, size) = (try bytes.u8(at + 4), try bytes.u8(at + 5))
      let count = (Int(size) * Int(try bytes.u16(at + 6, .big)) + 3) / 4 * 4
      let item = at..<at + 8 + count
      guard item.upperBound <= range.upperBound, level < mostLevels else {
        throw FileError(.notErasable, "has telemetry of GoPro's (GPMF) that can't be read", at: bytes.base + at)
      }
      if key.bytes.starts(with: "GPS".utf8) || others.contains(key) {
        found.append(item)
      } else if type == 0 {
        let inside = try places(in: bytes, at + 8..<item.upperBound, level: level + 1)
        found += key == stream && !inside.isEmpty ? [item] : inside
      }
      at = item.upperBound
    }
    return found
  }
}
