/// A track of a movie: what it is, and where its tables stand (ISO/IEC 14496-12, 8.3 and following).
struct MovieTrack: Sendable {
  let box: Box
  /// Nil where no header gives it one.
  private(set) var id: UInt32?
  /// The type of its handler; nil where it has none.
  private(set) var kind: FourCC?
  /// The boxes with times: its header, and that of its media.
  private(set) var headers: [Box] = []
  /// The boxes in its sample table.
  private(set) var tables: [Box] = []
  /// It has parts twice, of which readers may take either.
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

  /// The tables that say where its samples lie, how long they are and when they are shown; no descriptions.
  var sampleTables: [Box] {
    let types: Set<FourCC> = ["stts", "ctts", "stss", "stsz", "stz2", "stsc", "stco", "co64", "sdtp"]
    return tables.filter { types.contains($0.type) }
  }
  /// Where its chunks begin.
  var offsetTables: [Box] { tables.filter { $0.type == "stco" || $0.type == "co64" } }
  var descriptions: Box? { tables.first { $0.type == "stsd" } }

  /// The one table of these types; nil when there are several or none.
  func table(_ types: FourCC...) -> Box? {
    let found = tables.filter { types.contains($0.type) }
    return found.count == 1 ? found[0] : nil
  }

  /// What it tells along the way, in words; nil when it shows or sounds, or says how to show the movie.
  /// - Throws: `.refused` when nobody knows whether it belongs to what is seen and heard.
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
        .refused,
        "has a track of '\(kind)', which may be seen or heard, or tell anything; take it out first (ffmpeg -map)",
        at: box.range.lowerBound)
    }
    return words
  }
}
