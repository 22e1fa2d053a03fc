/// The `moov` box, with the positions of the data that we read and change.
package struct MovieBox: Sendable {
  /// A value and the boxes around it.
  struct Found: Sendable {
    let item: QuickTimeItem
    /// The box of the value: the user data box, or the item of a list.
    let box: Box
    /// The boxes around it, the outermost first.
    let parents: [Box]
    /// The box inside it, around the value: the `data` box of a list's item.
    let inner: Box?
  }

  /// A metadata list with keys.
  struct KeyList: Sendable {
    let meta: Box
    let keys: Box
    let ilst: Box
    let names: [String]
  }

  private(set) var data = QuickTimeData()
  private(set) var found: [Found] = []
  /// The movie's own list with keys.
  private(set) var keyList: KeyList?
  /// The movie's own user data, and the end of its boxes: before the four zeros that close it in old files.
  private(set) var userData: (box: Box, end: Int)?
  /// The XMP packet, and the top-level `uuid` box that holds it; the box is nil if the packet is in the user data.
  private(set) var packet: Range<Int>?
  private(set) var packetBox: Box?
  /// The user data box that holds the packet, and the boxes around it.
  private(set) var packetParents: [Box] = []
  private(set) var tracks: [MovieTrack] = []
  /// Lists of blocks with positions, which dashboard cameras write between pictures and sound.
  private(set) var gpsTables: [Box] = []
  private(set) var isFragmented = false
  /// Whether a table of offsets points into `moov` itself (encryption data, for example). Nothing in it may move then.
  private(set) var isPointedInto = false
  /// The reason why a block of metadata could not be read.
  private(set) var damage: FileError?
  let moov: Box
  /// The end of its last box.
  private(set) var end: Int

  /// XMP in MPEG-4 (ISO 16684-3, 2.1.2.2).
  private static let xmpID: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  /// Whether removed data becomes free space in place, because nothing in the box may move.
  var freesInPlace: Bool { isFragmented && !isPointedInto }
  /// Tables of offsets to media data.
  var offsetTables: [Box] { tracks.flatMap(\.offsetTables) }

  init(in file: MovieFile, of source: any ByteSource) throws(FileError) {
    moov = file.moov
    let children = try source.closedBoxes(in: moov.payload)
    end = children.last?.range.upperBound ?? moov.payload.lowerBound
    isFragmented = children.contains { $0.type == "mvex" } || file.boxes.contains { $0.type == "moof" }
    guard let header = children.first(where: { $0.type == "mvhd" }) else {
      throw FileError(
        .compressedMovie, "its moov box has no mvhd box (it may be compressed)", at: moov.range.lowerBound)
    }
    try add(header: header, source)
    var reader = MovieReader(source)
    reader.readMetadata(in: children, parents: [moov], isMovie: true)
    for track in children where track.type == "trak" { try read(track, &reader, source) }
    gpsTables = children.filter { $0.type == "gps " }
    if !gpsTables.isEmpty { data.places = "a GPS table" }
    if gpsTables.count > 1 { data.telemetry = "several GPS tables" }
    if data.telemetry == nil { data.telemetry = try MovieTelemetry.name(outside: file, source) }
    if data.telemetry == nil { data.telemetry = try MovieTelemetry.name(inside: children, source) }
    data.offset = children.lazy.compactMap { source.offset(toldBy: $0) }.first
    data.holdsAdditionalDate = try MovieTelemetry.holdsAdditionalDate(children, of: file, source)
    found = reader.found
    damage = reader.damage
    keyList = reader.keyList
    userData = reader.userData
    (packet, packetParents) = (reader.packet, reader.packetParents)
    if packet == nil, let outer = try MovieBox.packet(in: file, source) {
      (packet, packetBox) = (outer.range, outer.box)
    }
    data.items = found.map(\.item)
    data.takesKeys = keyList != nil || !children.contains { $0.type == "meta" }
  }

  /// Finds the XMP packet at the top level of a file, and its box.
  static func packet(
    in file: MovieFile, _ source: any ByteSource
  ) throws(FileError) -> (range: Range<Int>, box: Box)? {
    for box in file.boxes where try holdsXMP(box, source) {
      return (box.payload.lowerBound + 16..<box.payload.upperBound, box)
    }
    return nil
  }

  static func holdsXMP(_ box: Box, _ source: any ByteSource) throws(FileError) -> Bool {
    guard box.type == "uuid", box.payload.count >= 16 else { return false }
    return try source.prefix(at: box.payload.lowerBound, count: 16).has(MovieBox.xmpID)
  }

  /// Returns a top-level box for a packet.
  static func box(holding packet: [UInt8]) -> [UInt8] { Box.bytes("uuid", xmpID + packet) }

  private mutating func read(_ box: Box, _ reader: inout MovieReader, _ source: any ByteSource) throws(FileError) {
    let children = try source.closedBoxes(in: box.payload)
    reader.readMetadata(in: children, parents: [moov, box], isMovie: false)
    let track = try MovieTrack(box, children, source)
    tracks.append(track)
    for header in track.headers { try add(header: header, source) }
    for box in track.tables where box.type == "saio" {
      if try MediaOffsets(auxiliary: box, source).contains(where: moov.range.contains) { isPointedInto = true }
    }
    if try MovieTelemetry.isGoPro(track, source) {
      data.places = "a GoPro telemetry track (GPMF)"
    } else if let name = try MovieTelemetry.name(of: track, isFragmented: isFragmented, source) {
      data.timedPlaces.append(name)
    }
    if let recorded = try? track.recorded(source) { data.additional.append(recorded) }
  }

  /// Reads version and flags, then the times of creation and change: 32 bits each, or 64 in version 1 (ISO/IEC
  /// 14496-12, 8.2.2.2).
  private mutating func add(header: Box, _ source: any ByteSource) throws(FileError) {
    let start = header.payload.lowerBound
    let version = try source.bytes(at: start, count: 1).u8(0)
    let width = version == 1 ? 8 : 4
    guard header.payload.count >= 4 + 2 * width else {
      throw FileError(.malformed, "a \(header.type) box is too short for its times", at: header.range.lowerBound)
    }
    data.headers.append(QuickTimeHeader(creation: start + 4..<start + 4 + width, box: "\(header.type)"))
  }
}

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
      throw FileError(.malformed, "has a track without a handler type", at: box.range.lowerBound)
    }
    if MovieStructure.handlers.contains(kind) { return nil }
    if kind == "meta", let descriptions, let keys = try MovieTelemetry.keys(describedIn: descriptions, source),
      !keys.isEmpty, MovieStructure.timedKeys.isSuperset(of: keys)
    {
      return nil
    }
    guard let words = MovieStructure.recorded[kind] else {
      throw FileError(
        .notErasable, "has a track of the unknown type '\(kind)', which can't be erased",
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
