import Basics
import Foundation
import TestSupport

@testable import GeoIndex

/// A folder for the user's places, and files to import into it.
struct Kept {
  let scratch: Scratch
  let places: UserPlaces

  var folder: URL { scratch.url.appending(path: "data/metatag") }
  var file: URL { folder.appending(path: "places.sqlite") }

  init() throws {
    scratch = try Scratch()
    places = try UserPlaces(directory: scratch.url.appending(path: "data/metatag"))
  }

  @discardableResult
  func importText(
    _ text: String, as source: String = "mine", kind: Place.Kind = .own, skipsBadEntries: Bool = false,
    in index: Gazetteer? = nil
  ) throws -> PlaceImport.Report {
    try importBytes(Array(text.utf8), as: source, kind: kind, skipsBadEntries: skipsBadEntries, in: index)
  }

  @discardableResult
  func importBytes(
    _ bytes: [UInt8], as source: String = "mine", kind: Place.Kind = .own, skipsBadEntries: Bool = false,
    in index: Gazetteer? = nil
  ) throws -> PlaceImport.Report {
    var options = PlaceImport(source: source)
    options.kind = kind
    options.skipsBadEntries = skipsBadEntries
    let file = try scratch.write(bytes, as: "places.txt")
    return try places.importPlaces(from: file, options, in: index, at: Date(timeIntervalSince1970: 1_700_000_000))
  }

  /// A gazetteer of three places with these, or with those of a copied folder.
  func gazetteer(own: UserPlaces? = nil) throws -> Gazetteer {
    try Gazetteer(
      gazetteer: scratch.write(TinyGazetteer().bytes, as: "gazetteer.bin"),
      cacheDirectory: scratch.url.appending(path: "cache"), own: own ?? places)
  }

  /// All places of all imports, and the pins, by name.
  func all() throws -> [Place] {
    let imported = try places.imports(in: nil).indexes.flatMap { index in
      (0..<index.count).map { index.place($0) }
    }
    return try (imported + places.pins()).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }
}
