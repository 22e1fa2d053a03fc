import Basics
import Decoding
import ImageFormats
import MetaTag
import SafeWriting

extension FuzzTarget {
  /// The name of the format of tracks.
  var trackFormat: String? {
    switch self {
    case .gpx: "GPX"
    case .kml: "KML"
    case .tcx: "TCX"
    case .fit: "FIT"
    case .igc: "IGC"
    case .nmea: "NMEA"
    case .googleRecords: "Google Records.json"
    case .googleSemantic: "Google Semantic Location History"
    case .googleTimeline: "Google Timeline"
    case .ownTracks: "OwnTracks"
    case .geoJSON: "GeoJSON"
    case .csv: "CSV"
    default: nil
    }
  }
}

/// The readers of tracks, tables and other files, and of texts.
enum TextParsers {
  /// Reads a track of this format, or of any if `name` is nil, and matches photos with it.
  static func track(_ bytes: [UInt8], named name: String?) -> Bool {
    if let name, Track.format(of: bytes) != name { return false }
    guard let track = try? Track(bytes: bytes, name: "DJI_2024-05-01_[10-00-00].csv", zone: { _ in .fixed(.utc) })
    else {
      return true
    }
    let points = track.segments.flatMap(\.points)
    var rules = MatchRules()
    rules.acrossSegments = true
    for point in points.prefix(4) + points.suffix(4) {
      for seconds in [-3_600, -1, 0, 1, 3_600] as [Int64] {
        let instant = point.instant.adding(TimeShift(seconds: seconds))
        _ = try? track.match(instant, rules: rules)
        _ = track.nearestPlace(to: instant)
      }
    }
    _ = track.keeping(within: FixLimits())
    _ = track.adding(weeks: 1_024)
    for source in track.sources { _ = source.warnings.map(\.description) }
    return true
  }

  static func table(_ bytes: [UInt8]) {
    _ = try? PlaceTable(bytes: bytes)
    var rules = PlaceTable.Rules()
    (rules.isSigned, rules.allowsZero) = (true, true)
    _ = try? PlaceTable(bytes: bytes, rules: rules)
  }

  static func takeout(_ bytes: [UInt8]) {
    guard let record = try? TakeoutRecord(Bytes(bytes)) else { return }
    _ = record.doubts(of: facts.metadata, keepsDate: true, keepsPlace: true)
    _ = record.fits(record)
  }

  static func plan(_ bytes: [UInt8]) { _ = try? PlanFile(holding: bytes) }

  static func planRow(_ bytes: [UInt8]) {
    _ = try? PlanLine(bytes)
    _ = try? PhotoLine(bytes).lineValue
    var cameras = FileFacts.SharedCameras()
    _ = try? FactsLine(bytes, sharing: &cameras).value
  }

  static func undoRow(_ bytes: [UInt8]) { _ = try? UndoRow(bytes).paths }

  static func condition(_ bytes: [UInt8]) {
    guard let condition = try? Condition(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    _ = condition.isMet(by: facts)
  }

  static func coordinate(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? Location(parsing: text)
    _ = try? Location(iso6709: text)
    _ = try? Location(iso6709: text, ofAnySystem: true)
    _ = try? AngleText(parsing: text)
    _ = try? GeoURI(text[...])
    _ = Location(movieText: text)
    _ = Double(xmpAngle: text, positive: "N", negative: "S", reference: nil)
    PlaceParsers.typed(text)
  }

  static func time(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let time = CivilTime(year: 2024, month: 2, day: 29, hour: 12).map { CaptureTime($0) }
    _ = try? CaptureTime(parsing: text)
    _ = try? PartialDate(parsing: text)
    if let shift = try? CalendarShift(parsing: text) { _ = time?.adding(shift) }
    if let shift = try? TimeShift(parsing: text) { _ = (shift.description, Instant(seconds: 0).adding(shift)) }
    _ = CaptureTime(iso: text)
    _ = CivilTime(iso: text)
    _ = CivilTime(exif: text)
    _ = UTCOffset(text)
    _ = NameDate(fileName: text)
    _ = NameDate.doubtfulTime(behindDayIn: text)
    _ = PlainText.number(bytes, bytes.indices)
    _ = PlainText.dateTime(bytes, bytes.indices)
    // A pattern, and the name of a file below it.
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let pattern = try? NamePattern(parsing: lines[0]) else { return }
    _ = pattern.date(in: lines.last ?? "")
    _ = pattern.partialDate(in: lines.last ?? "")
  }

  static func zone(_ bytes: [UInt8]) {
    guard let zone = try? Zone(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    for seconds in [-5_000_000_000, 0, 1_714_557_600] as [Int64] { _ = zone.offset(at: Instant(seconds: seconds)) }
  }

  static func path(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let path = try? XMPPath(parsing: text) { _ = "\(path)" }
    let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if let tag = try? EXIFTag.named(words[0]) { _ = try? tag.change(parsing: words.last ?? "") }
    for field in PhotoField.allCases { _ = try? field.change(parsing: text) }
    _ = try? PhotoOrder(parsing: text)
  }

  static func answer(_ bytes: [UInt8]) {
    _ = try? CodecWire.readings(Bytes(bytes), count: 2)
    _ = try? CodecWire.tags(Bytes(bytes))
  }

  /// A photo with values for conditions.
  private static let facts: PhotoFacts = {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
      tiff:Make="A maker" tiff:Model="X-T4" exif:DateTimeOriginal="2024-05-01T10:00:00+02:00"
      exif:GPSLatitude="46,22.1N" exif:GPSLongitude="14,6.5E"/></rdf:RDF></x:xmpmeta>
      """
    let metadata = (try? ImageSource(bytes: Array(packet.utf8)))?.metadata() ?? Metadata()
    return PhotoFacts(path: "2024/IMG_1.JPG", type: .jpeg, size: 5_000_000, properties: nil, metadata: metadata)
  }()
}
