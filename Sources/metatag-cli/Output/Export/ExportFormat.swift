import ArgumentParser
import MetaTag
import SystemPackage

/// A located photo, as other programs are told of it.
struct ExportedPhoto: Sendable {
  let path: FilePath
  let location: Location
  let time: CaptureTime?
  /// The same in words, or the year, month or day that is all that is known.
  let taken: String?
  let camera: String?
  /// A small picture, a JPEG file.
  var thumbnail: [UInt8]?

  /// Nil for a photo without a place.
  /// - Parameter clock: What the run that placed it was told of its clock.
  init?(_ path: FilePath, _ metadata: Metadata, recorded clock: DateFacts.KnownClock? = nil) {
    guard let location = metadata.location else { return nil }
    self.path = path
    self.location = location
    let proven = metadata.provenTime(recorded: clock)
    (time, taken) = (proven ?? metadata.captureTime, proven?.description ?? metadata.takenText)
    camera = metadata.cameraModel
  }

  /// The file's name, without its folders.
  var name: String { path.lastComponent.map { FilePath(root: nil, [$0]).printable } ?? path.printable }
}

/// A way to write places down: what stands before all photos, for each, and after them.
protocol ExportFormat: Sendable {
  var head: String { get }
  var tail: String { get }
  /// What stands between two photos.
  var separator: String { get }
  /// Bytes, as names of files need not be UTF-8.
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
  /// As text or an attribute of XML 1.0; characters that XML has no way to write are left out.
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
