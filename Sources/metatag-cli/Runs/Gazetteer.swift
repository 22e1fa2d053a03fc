import Foundation
import GeoIndex
import MetaTag
import SystemPackage

extension GeoIndex {
  /// Opens the gazetteer that comes with the tool.
  static func opened(telling console: Console) throws -> GeoIndex {
    let cache = URL(filePath: UserFolders().cache.string, directoryHint: .isDirectory)
    defer { console.endProgress() }
    var shown = -1
    do {
      return try openDefault(cacheDirectory: cache) { share in
        let percent = Int(share * 100)
        guard percent != shown else { return }
        shown = percent
        console.show("unpacking the gazetteer, once: \(percent) %")
      }
    } catch {
      throw StartError(error.description)
    }
  }
}

extension Place {
  /// `Kyoto, Kyoto, Japan`: what tells it from others of its name, and can be typed after --place.
  var line: String { [name, admin1, country].compactMap(\.self).joined(separator: ", ") }

  /// Where it is, for photos.
  var location: Location {
    get throws {
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw StartError("the gazetteer has no valid position for \(line)")
      }
      return Location(coordinate)
    }
  }

  /// As an object; distance in metres and bearing in degrees, from the place to what was asked about.
  func write(to writer: inout JSONWriter, distance: Double? = nil, bearing: Double? = nil) {
    writer.object { writer in
      writer.member("id", Int(id))
      writer.member("name", name)
      writer.member("matchedName", matchedName)
      writer.member("kind", kind.rawValue)
      writer.member("country", countryCode)
      writer.member("countryName", country)
      writer.member("admin1", admin1)
      writer.member("latitude", latitude)
      writer.member("longitude", longitude)
      writer.member("population", population)
      writer.member("timeZone", timeZone)
      writer.member("distance", distance.map { $0.rounded() })
      writer.member("bearing", bearing.map { ($0 * 10).rounded() / 10 })
    }
  }
}

extension NearestPlace {
  /// `in`, or `12.3 km east of`.
  var words: String { wordsOfDirection(distance: distance, bearing: bearing) }
}

/// Metres and degrees from a place, as words before its name.
func wordsOfDirection(distance: Double, bearing: Double) -> String {
  guard distance >= 1_000 else { return "in" }
  let winds = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
  return "\((distance / 100).rounded() / 10) km \(winds[Int((bearing / 45).rounded()) & 7]) of"
}
