/// Places in a movie file where positions along the way are recorded, which we neither read nor edit.
enum MovieTelemetry {
  private static let kinds: [FourCC: String] = [
    "gpmd": "a GoPro telemetry track (GPMF)", "camm": "a camera motion track (CAMM)", "rtmd": "a Sony telemetry track",
    "djmd": "a DJI telemetry track",
  ]
  /// Nothing longer is searched: it is no description.
  private static let longestDescription = 1 << 20
  /// How Insta360's own data at the end of a file ends.
  private static let insta360 = Array("8db42d694ccc418790edff439fe026bf".utf8)

  /// Tells a track that records positions by the format of its samples (ISO/IEC 14496-12, 8.5.2).
  static func name(describedIn stsd: Box, _ source: any ByteSource) throws(PhotoError) -> String? {
    guard stsd.payload.count >= 16, stsd.payload.count <= longestDescription else { return nil }
    let table = try source.bytes(stsd.payload)
    let kind = FourCC(rawValue: try table.u32(12, .big))
    if kind == "mebx", table.firstIndex(of: Array(QuickTime.Key.location.utf8)) != nil {
      return "a track of timed positions"
    }
    return kinds[kind]
  }

  /// What timed metadata of Apple's kind tell, by key (QTFF "Timed Metadata Sample Descriptions"); nil for other kinds.
  static func keys(describedIn stsd: Box, _ source: any ByteSource) throws(PhotoError) -> [String]? {
    guard stsd.payload.count >= 16, stsd.payload.count <= longestDescription else { return nil }
    var keys: [String] = []
    for entry in try source.closedBoxes(in: stsd.payload.lowerBound + 8..<stsd.payload.upperBound) {
      guard entry.type == "mebx", entry.payload.count >= 8 else { return nil }
      for table in try source.closedBoxes(in: entry.payload.lowerBound + 8..<entry.payload.upperBound)
      where table.type == "keys" {
        for key in try source.closedBoxes(in: table.payload) {
          for name in try source.closedBoxes(in: key.payload) where name.type == "keyd" && name.payload.count >= 4 {
            keys.append(String(decoding: try source.bytes(name.payload).array.dropFirst(4), as: UTF8.self))
          }
        }
      }
    }
    return keys
  }

  /// Positions outside `moov`: in Sony's XML, in user data at the top of the file, in Insta360's data at its end.
  static func name(outside file: MovieFile, _ source: any ByteSource) throws(PhotoError) -> String? {
    let end = insta360.count
    if file.trailer.count >= end, try source.bytes(at: source.count - end, count: end).array == insta360 {
      return "Insta360's own data at its end"
    }
    let marks = ["ExifGPS", QuickTime.Key.location].map { Array($0.utf8) } + [FourCC("©xyz").bytes]
    for box in file.boxes where box.type == "meta" || box.type == "udta" {
      guard box.payload.count <= longestDescription else { continue }
      let content = try source.bytes(box.payload)
      if marks.contains(where: { content.firstIndex(of: $0) != nil }) { return "a position in a box beside moov" }
    }
    return nil
  }
}
