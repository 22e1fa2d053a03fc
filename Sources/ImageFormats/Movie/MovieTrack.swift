/// A track of a movie: its kind, and the positions of its tables (ISO/IEC 14496-12, 8.3 and following).
struct MovieTrack: Sendable {
  let box: Box
  /// The track's number; nil if no header has one.
  private(set) var id: UInt32?
  /// The type of its handler; nil if it has none.
  private(set) var kind: FourCC?
  /// The boxes with times: the headers of the track and of its media.
  private(set) var headers: [Box] = []
  /// The boxes in its sample table.
  private(set) var tables: [Box] = []
  /// Whether parts occur twice, so that readers may take either.
  private(set) var isAmbiguous = false

  init(_ box: Box, _ children: [Box], _ source: any ByteSource) throws(FileError) {
    self.box = box
    if let header = only("tkhd", children) {
      headers.append(header)
      // Version and flags, two times of 32 or 64 bits, then its number.
      let head = try source.prefix(at: header.payload.lowerBound, count: min(24, header.payload.count))
      id = try? head.u32(head.u8(0) == 1 ? 20 : 12, .big)
    }
    guard let media = only("mdia", children) else { return }
    let inside = try source.closedBoxes(in: media.payload)
    if let header = only("mdhd", inside) { headers.append(header) }
    if let handler = only("hdlr", inside), handler.payload.count >= 12 {
      kind = FourCC(rawValue: try source.bytes(at: handler.payload.lowerBound + 8, count: 4).u32(0, .big))
    }
    guard let information = only("minf", inside),
      let table = only("stbl", try source.closedBoxes(in: information.payload))
    else { return }
    tables = try source.closedBoxes(in: table.payload)
  }

  private mutating func only(_ type: FourCC, _ boxes: [Box]) -> Box? {
    let found = boxes.filter { $0.type == type }
    if found.count > 1 { isAmbiguous = true }
    return found.first
  }

  /// The tables with positions, lengths and times of its samples, without descriptions.
  var sampleTables: [Box] {
    let types: Set<FourCC> = ["stts", "ctts", "stss", "stsz", "stz2", "stsc", "stco", "co64", "sdtp"]
    return tables.filter { types.contains($0.type) }
  }
  /// The tables with the positions of its chunks.
  var offsetTables: [Box] { tables.filter { $0.type == "stco" || $0.type == "co64" } }
  var descriptions: Box? { tables.first { $0.type == "stsd" } }

  /// Returns the only table of these types; nil when there are several or none.
  func table(_ types: FourCC...) -> Box? {
    let found = tables.filter { types.contains($0.type) }
    return found.count == 1 ? found[0] : nil
  }

  /// Returns a description of the data recorded along the way; nil for picture, sound and display settings.
  /// - Throws: `.refused` when it is unknown whether the track is seen or heard.
  func recorded(_ source: any ByteSource) throws(FileError) -> String? {
    guard let kind else {
      throw FileError(.malformed, "has a track that doesn't say what it is", at: box.range.lowerBound)
    }
    if MovieStructure.handlers.contains(kind) { return nil }
    if kind == "meta", let descriptions, let keys = try MovieTelemetry.keys(describedIn: descriptions, source),
      !keys.isEmpty, MovieStructure.timedKeys.isSuperset(of: keys)
    {
      return nil
    }
    guard let words = MovieStructure.recorded[kind] else {
      throw FileError(
        .notErasable, "has a track of '\(kind)', which may be seen or heard, or contain anything",
        at: box.range.lowerBound, remedy: .takeOutTracks)
    }
    return words
  }
}

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
