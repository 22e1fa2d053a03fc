import ArgumentParser
import MetaTag
import SystemPackage

/// A located photo for export.
struct ExportedPhoto: Sendable {
  let path: FilePath
  let location: Location
  let time: CaptureTime?
  /// The date as text, or the year, month or day if that is all that is known.
  let taken: String?
  let camera: String?
  /// A thumbnail, as a JPEG file.
  var thumbnail: [UInt8]?

  /// Creates an export; nil for a photo without a location.
  /// - Parameter clock: The clock correction and zone of the run that placed it.
  init?(_ path: FilePath, _ metadata: Metadata, recorded clock: DateFacts.KnownClock? = nil) {
    guard let location = metadata.location else { return nil }
    self.path = path
    self.location = location
    let proven = metadata.provenTime(recorded: clock)
    (time, taken) = (proven ?? metadata.captureTime, proven?.description ?? metadata.takenText)
    camera = metadata.cameraModel
  }

  /// The file name without folders.
  var name: String { path.lastComponent.map { FilePath(root: nil, [$0]).printable } ?? path.printable }
}

/// A format of exports: the start of the document, an entry per photo, and its end.
protocol ExportFormat: Sendable {
  var head: String { get }
  var tail: String { get }
  /// The text between two entries.
  var separator: String { get }
  /// Returns an entry as bytes, because file names need not be UTF-8.
  func entry(_ photo: ExportedPhoto) -> [UInt8]
}

/// The formats by their names on the command line.
enum ExportChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case gpx, kml, kmz, geojson, csv

  var document: any ExportDocument {
    switch self {
    case .gpx: TextExport(GPXExport())
    case .kml: TextExport(KMLExport())
    case .kmz: KMZExport()
    case .geojson: TextExport(GeoJSONExport())
    case .csv: TextExport(CSVExport())
    }
  }
}

extension String {
  /// The text escaped for text and attributes of XML 1.0, without characters that XML can't contain.
  var escapedForXML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// An export of all photos, written in pieces.
protocol ExportDocument {
  func begin() -> [UInt8]
  mutating func add(_ photo: ExportedPhoto) -> [UInt8]
  mutating func end() -> [UInt8]
}

/// A text document with an entry per photo.
struct TextExport: ExportDocument {
  private let format: any ExportFormat
  private var isFirst = true

  init(_ format: any ExportFormat) { self.format = format }

  func begin() -> [UInt8] { Array(format.head.utf8) }

  mutating func add(_ photo: ExportedPhoto) -> [UInt8] {
    defer { isFirst = false }
    return (isFirst ? [] : Array(format.separator.utf8)) + format.entry(photo)
  }

  func end() -> [UInt8] { Array(format.tail.utf8) }
}

/// GPX 1.1 waypoints. GPX times are in UTC, so a photo without a UTC offset has no time.
struct GPXExport: ExportFormat {
  let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="metatag" xmlns="http://www.topografix.com/GPX/1/1">

    """
  let tail = "</gpx>\n"
  let separator = ""

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    let place = photo.location.coordinate
    var lines = ["  <wpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\">"]
    if let altitude = photo.location.altitude { lines.append("    <ele>\(altitude)</ele>") }
    // The order is fixed by the schema.
    if let time = photo.time?.instant?.inUTC { lines.append("    <time>\(time.replacing("+00:00", with: "Z"))</time>") }
    lines.append("    <name>\(photo.name.escapedForXML)</name>")
    if let camera = photo.camera { lines.append("    <desc>\(camera.escapedForXML)</desc>") }
    lines.append("    <link href=\"\(photo.path.uriReference.escapedForXML)\"/>")
    return Array(((lines + ["  </wpt>"]).joined(separator: "\n") + "\n").utf8)
  }
}

/// GeoJSON points (RFC 7946): longitude before latitude.
struct GeoJSONExport: ExportFormat {
  let head = "{\"type\":\"FeatureCollection\",\"features\":[\n"
  let tail = "\n]}\n"
  let separator = ",\n"

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "Feature")
      writer.key("geometry")
      writer.object { writer in
        writer.member("type", "Point")
        writer.key("coordinates")
        writer.array { writer in
          writer.value(photo.location.coordinate.longitude)
          writer.value(photo.location.coordinate.latitude)
          if let altitude = photo.location.altitude { writer.value(altitude) }
        }
      }
      writer.key("properties")
      writer.object { writer in
        writer.member(path: photo.path)
        writer.member("name", photo.name)
        writer.member("taken", photo.taken)
        writer.member("camera", photo.camera)
      }
    }
    return writer.take()
  }
}

/// CSV (RFC 4180) with signed degrees, north and east positive.
struct CSVExport: ExportFormat {
  let head = "path,latitude,longitude,altitude,taken,camera\r\n"
  let tail = ""
  let separator = ""

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    var writer = CSVWriter()
    let place = photo.location.coordinate
    writer.field(path: photo.path)
    for field in [
      "\(place.latitude)", "\(place.longitude)", photo.location.altitude.map { "\($0)" }, photo.taken,
      photo.camera,
    ] { writer.field(field) }
    writer.endRow()
    return writer.take()
  }
}

extension FilePath {
  /// The path as a URI reference (RFC 3986), with all but plain characters as %XX.
  var uriReference: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return rawBytes.reduce(into: "") { text, byte in
      text +=
        plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}
