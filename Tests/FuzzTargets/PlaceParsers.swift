import Basics
import CSys
import Foundation
import GeoIndex
import Glibc

extension FuzzTarget {
  /// The name of the format of places.
  var placeFormat: String? {
    switch self {
    case .osm: "OSM PBF"
    case .kmlPlaces: "KML"
    case .gpxPlaces: "GPX"
    case .wikidata: "Wikidata"
    case .geoJSONPlaces: "GeoJSON"
    case .geoNames: "GeoNames"
    case .csvPlaces: "CSV"
    default: nil
    }
  }
}

/// The readers of places, and of the gazetteer's own files.
enum PlaceParsers {
  /// Reads a file of places of this format, or of any if `name` is nil.
  static func places(_ bytes: [UInt8], named name: String?) -> Bool {
    withFile(bytes) { path in
      do { return try PlaceImport.check(path, format: name) != nil } catch { return true }
    }
  }

  static func typed(_ text: String) { _ = TypedCoordinates.readings(text) }

  static func gazetteer(_ bytes: [UInt8]) {
    withFile(bytes) { path in _ = (try? GazetteerFile(contentsOf: path))?.importances }
  }

  static func areas(_ bytes: [UInt8]) {
    guard let layer = try? AreaLayer(sealed(bytes)) else { return }
    for point in [(0, 0), (47.5, 8.25), (-90, -180), (90, 180)] {
      if let place = Coordinate(latitude: Double(point.0), longitude: Double(point.1)) {
        _ = layer.areas(at: Lattice(place))
      }
    }
  }

  static func counties(_ bytes: [UInt8]) { _ = try? Counties(sealed(bytes)) }

  /// Puts the right checksum behind the first eight bytes, which hardly any changed bytes would have.
  private static func sealed(_ bytes: [UInt8]) -> Data {
    guard bytes.count >= 12 else { return Data(bytes) }
    return Data(bytes[..<8] + ImageParsers.checkSum(bytes[12...]).bytes(.little) + bytes[12...])
  }

  /// Calls `body` with the path of a file in memory, which is the same file each time.
  private static func withFile<R>(_ bytes: [UInt8], _ body: (String) -> R) -> R {
    guard file >= 0, ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else {
      fatalError("a file in memory can't be written")
    }
    return body("/proc/self/fd/\(file)")
  }

  private static let file = csys_memfd("places")
}
