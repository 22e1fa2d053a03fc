import ImageFormats

/// The parsers that are fuzzed, one by one: those of this project that read bytes or texts of others.
///
/// A parser may throw. It may not trap, take a second or 256 MB; and what it changes must be undone exactly.
package enum FuzzTarget: String, CaseIterable, Sendable {
  // Whole files of pictures and movies, by container.
  case jpeg, tiff, heif, movie, png, webp, jxl, gif, xmp, cr3, raf, x3f, mrw, crw, jpeg2000
  // Blocks of metadata, in a small JPEG file.
  case exif, packet, iptc
  // Tracks.
  case gpx, kml, tcx, fit, igc, nmea, googleRecords, googleSemantic, googleTimeline, ownTracks, geoJSON, csv
  /// A track that may be compressed, or in another encoding.
  case track
  // Other files of the user.
  case table, takeout, plan
  // Rows that workers get.
  case planRow, undoRow
  // Texts that the user types, and texts in files.
  case condition, coordinate, time, zone, path
  // Files of places.
  case osm, kmlPlaces, gpxPlaces, wikidata, geoJSONPlaces, geoNames, csvPlaces
  /// A file of places that may be in a zip archive.
  case places
  // Files of the gazetteer.
  case gazetteer, areas, counties
  /// Answers of the program that decodes metadata.
  case answer

  /// Runs the parser once. Returns false for bytes that aren't this parser's, so that they aren't changed further.
  package func run(_ bytes: [UInt8]) -> Bool {
    if let type = imageType { return ImageParsers.run(self == .png ? ImageParsers.withCheckSums(bytes) : bytes, type) }
    if let name = trackFormat { return TextParsers.track(bytes, named: name) }
    if let name = placeFormat { return PlaceParsers.places(bytes, named: name) }
    switch self {
    case .exif, .packet, .iptc: return ImageParsers.run(ImageParsers.picture(with: bytes, self), .jpeg)
    case .track: return TextParsers.track(bytes, named: nil)
    case .table: TextParsers.table(bytes)
    case .takeout: TextParsers.takeout(bytes)
    case .plan: TextParsers.plan(bytes)
    case .planRow: TextParsers.planRow(bytes)
    case .undoRow: TextParsers.undoRow(bytes)
    case .condition: TextParsers.condition(bytes)
    case .coordinate: TextParsers.coordinate(bytes)
    case .time: TextParsers.time(bytes)
    case .zone: TextParsers.zone(bytes)
    case .path: TextParsers.path(bytes)
    case .places: return PlaceParsers.places(bytes, named: nil)
    case .gazetteer: PlaceParsers.gazetteer(bytes)
    case .areas: PlaceParsers.areas(bytes)
    case .counties: PlaceParsers.counties(bytes)
    case .answer: TextParsers.answer(bytes)
    default: break
    }
    return true
  }

  /// The number of bytes up to which inputs grow.
  package var longest: Int {
    switch self {
    case .time, .zone, .coordinate, .path: 256
    case .condition: 1_024
    case .fit, .igc, .nmea, .csv, .table, .takeout, .plan, .planRow, .undoRow, .answer, .ownTracks: 4_096
    case .exif, .packet, .iptc: 8_192
    case _ where imageType != nil: 16_384
    default: 8_192
    }
  }
}
