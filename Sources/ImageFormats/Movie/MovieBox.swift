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
        .unsupported, "its moov box has no movie header (it may be compressed)", at: moov.range.lowerBound)
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
