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
