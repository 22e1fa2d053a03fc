extension ByteSource {
  /// The id of Sony's own data in movies: `USMT`.
  private static var sonyID: [UInt8] {
    [0x55, 0x53, 0x4D, 0x54, 0x21, 0xD2, 0x4F, 0xCE, 0xBB, 0x88, 0x69, 0x5C, 0xFA, 0xC9, 0xC7, 0x40]
  }
  /// The tag for the offset in minutes from UTC.
  private static var zoneTag: UInt32 { 0x0B }

  /// Returns the offset of the camera's clock from Sony's `uuid` box: a list (`MTDT`) of entries, each with its length,
  /// tag, language and encoding before its value.
  package func offset(toldBy box: Box) -> UTCOffset? {
    guard box.type == "uuid", box.payload.count >= 16, let id = try? prefix(at: box.payload.lowerBound, count: 16),
      id.has(Self.sonyID), let boxes = try? closedBoxes(in: box.payload.dropFirst(16)),
      let list = boxes.first(where: { $0.type == "MTDT" }), list.payload.count <= 4_096,
      let bytes = try? bytes(at: list.payload.lowerBound, count: list.payload.count),
      let count = try? bytes.u16(0, .big)
    else { return nil }
    var at = 2
    for _ in 0..<count {
      guard let length = try? bytes.u16(at, .big), length >= 10, let tag = try? bytes.u32(at + 2, .big) else {
        return nil
      }
      if tag == Self.zoneTag, length >= 12, let minutes = try? bytes.u16(at + 10, .big) {
        return UTCOffset(seconds: Int(Int16(bitPattern: minutes)) * 60)
      }
      at += Int(length)
    }
    return nil
  }
}
