/// Positions recorded along the way in a movie file. They aren't read; only GoPro's can be erased.
enum MovieTelemetry {
  private static let kinds: [FourCC: String] = [
    "camm": "a camera motion track (CAMM)", "rtmd": "a Sony telemetry track", "djmd": "a DJI telemetry track",
    "dbgi": "a DJI telemetry track", "ctmd": "a Canon telemetry track",
  ]
  /// The kinds of text tracks, and marks in texts that record places, such as DJI's.
  private static let texts: Set<FourCC> = ["text", "sbtl", "subt"]
  private static let placeMarks = ["GPS", "gps", "atitude", "HOME("].map { Array($0.utf8) }
  /// The length of text to search. Places begin with the recording.
  private static let searchedText = 1 << 16
  /// The limit of a description to search.
  private static let longestDescription = 1 << 20
  /// The limit of user data, which may contain cameras' thumbnails.
  private static let longestUserData = 16 << 20
  /// The end of Insta360's own data at the end of a file.
  private static let insta360 = Array("8db42d694ccc418790edff439fe026bf".utf8)

  /// Whether the track is GoPro's, in a known format.
  static func isGoPro(_ track: MovieTrack, _ source: any ByteSource) throws(FileError) -> Bool {
    guard let table = try description(of: track, source) else { return false }
    return table.has(FourCC("gpmd").bytes, at: 12)
  }

  /// Returns the description of a track that records positions, recognized by the format of its samples (ISO/IEC
  /// 14496-12, 8.5.2) or by its texts.
  static func name(of track: MovieTrack, isFragmented: Bool, _ source: any ByteSource) throws(FileError) -> String? {
    if let kind = track.kind, texts.contains(kind) { return name(ofTextsIn: track, isFragmented, source) }
    guard let table = try description(of: track, source) else { return nil }
    let kind = FourCC(rawValue: try table.u32(12, .big))
    if kind == "mebx", table.firstIndex(of: Array(QuickTime.Key.location.utf8)) != nil {
      return "a track of timed positions"
    }
    return kinds[kind]
  }

  private static func description(of track: MovieTrack, _ source: any ByteSource) throws(FileError) -> Bytes? {
    guard let stsd = track.descriptions, stsd.payload.count >= 16, stsd.payload.count <= longestDescription else {
      return nil
    }
    return try source.bytes(stsd.payload)
  }

  private static func name(
    ofTextsIn track: MovieTrack, _ isFragmented: Bool, _ source: any ByteSource
  ) -> String? {
    guard !isFragmented, let chunks = try? MovieSamples(source).exact(of: track) else {
      return "a text track that can't be read"
    }
    var left = searchedText
    for chunk in chunks where left > 0 {
      guard let text = try? source.bytes(at: chunk.lowerBound, count: min(left, chunk.count)) else {
        return "a text track that can't be read"
      }
      left -= text.count
      if placeMarks.contains(where: { text.firstIndex(of: $0) != nil }) { return "a text track with positions" }
    }
    return nil
  }

  /// Returns the keys of Apple's timed metadata (QTFF "Timed Metadata Sample Descriptions"); nil for other kinds.
  static func keys(describedIn stsd: Box, _ source: any ByteSource) throws(FileError) -> [String]? {
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

  static func endsWithInsta360(_ source: any ByteSource) throws(FileError) -> Bool {
    let end = insta360.count
    guard source.count >= end else { return false }
    return try source.bytes(at: source.count - end, count: end).array == insta360
  }

  /// Marks of positions in makers' own data in `moov`: Nikon's tags (0x01200001 and following) in `NCDT`, GoPro's
  /// streams, locations of other programs in iTunes' list, EXIF of a picture.
  private static let userMarks: [(bytes: [UInt8], name: String)] = [
    ([0x01, 0x20, 0, 1], "positions in Nikon data"), (Array("GPS5".utf8), "positions in GoPro data"),
    (Array("GPS9".utf8), "positions in GoPro data"),
    (Array("name\0\0\0\0LOCATION".utf8), "a location name"),
  ]

  /// The limit of pictures in a movie's user data.
  private static let mostPictures = 16
  private static let exifHead = Array("Exif\0\0".utf8)

  /// Finds positions in `moov` outside of metadata items: in its user data and lists.
  static func name(inside boxes: [Box], _ source: any ByteSource) throws(FileError) -> String? {
    for box in boxes where ["udta", "meta", "uuid"].contains(box.type) {
      guard box.payload.count <= longestUserData else { return "user data that is too large to search" }
      let content = try source.bytes(box.payload)
      if let mark = userMarks.first(where: { content.firstIndex(of: $0.bytes) != nil }) { return mark.name }
      var (at, count) = (0, 0)
      while let found = content.firstIndex(of: exifHead, from: at) {
        (at, count) = (found + exifHead.count, count + 1)
        if count > mostPictures { return "too many pictures to search" }
        if (try? TIFFBlock(content, at..<content.count)).map(EXIF.holdsLocation) ?? false {
          return "a picture with a location"
        }
      }
    }
    return nil
  }

  /// Marks of dates in the same boxes outside of metadata items: data of Nikon's and other cameras, EXIF of a picture,
  /// iTunes' date of purchase, and programs' dates in its list.
  private static let dateMarks = ["NCDT", "MVTG", "purd", "name\0\0\0\0DATE"]
    .map { Array($0.utf8) }

  static func holdsAdditionalDate(_ boxes: [Box], of file: MovieFile, _ source: any ByteSource) throws(FileError)
    -> Bool
  {
    for box in boxes where ["udta", "meta"].contains(box.type) && box.payload.count <= longestUserData {
      let content = try source.bytes(box.payload)
      if dateMarks.contains(where: { content.firstIndex(of: $0) != nil }) { return true }
      var (at, count) = (0, 0)
      while let found = content.firstIndex(of: exifHead, from: at) {
        (at, count) = (found + exifHead.count, count + 1)
        guard count <= mostPictures, let exif = try? TIFFBlock(content, at..<content.count) else { return true }
        if EXIF.holdsDate(exif) { return true }
      }
    }
    for box in file.boxes where box.type == "meta" && box.payload.count <= longestDescription {
      if try source.bytes(box.payload).firstIndex(of: Array("CreationDate".utf8)) != nil { return true }
    }
    return false
  }

  /// Finds positions outside `moov`: in Sony's XML, in top-level user data, in Insta360's data at the end.
  static func name(outside file: MovieFile, _ source: any ByteSource) throws(FileError) -> String? {
    if file.trailer.count >= insta360.count, try endsWithInsta360(source) { return "an Insta360 trailer" }
    if file.boxes.contains(where: { $0.type == "gps0" }) { return "a box of positions (gps0)" }
    let marks = ["ExifGPS", QuickTime.Key.location].map { Array($0.utf8) } + [FourCC("©xyz").bytes]
    for box in file.boxes where box.type == "meta" || box.type == "udta" {
      guard box.payload.count <= longestDescription else { continue }
      let content = try source.bytes(box.payload)
      if marks.contains(where: { content.firstIndex(of: $0) != nil }) { return "a position in a box outside moov" }
    }
    return nil
  }
}
