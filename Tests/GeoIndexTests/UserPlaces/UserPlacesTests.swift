import Basics
import Foundation
import GRDB
import TestSupport
import Testing

@testable import GeoIndex

@Suite("File of the user's places")
struct UserPlacesTests {
  @Test("The file doesn't exist until a place is kept, and only its owner can read it.")
  func made() throws {
    let scratch = try Scratch()
    #expect(try UserPlaces.reading(directory: scratch.url.appending(path: "none")) == nil)
    let kept = try Kept()
    #expect(try UserPlaces.reading(directory: kept.folder) != nil)
    for (path, mode) in [(kept.file, 0o600), (kept.folder, 0o700)] {
      #expect(try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int == mode)
    }
  }

  @Test("A damaged file is an error with a remedy.", arguments: [true, false])
  func damaged(isWriting: Bool) throws {
    let scratch = try Scratch()
    try scratch.write(Array(repeating: 0x41, count: 8_192), as: "places.sqlite")
    let error = #expect(throws: GeoIndexError.self) {
      _ = isWriting ? try UserPlaces(directory: scratch.url) : try UserPlaces.reading(directory: scratch.url)
    }
    #expect(error?.code == .userPlaces)
    #expect(error?.remedy == .importPlacesAgain)
  }

  @Test("A file of a newer version is refused.")
  func newer() throws {
    let kept = try Kept()
    try kept.places.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
    let error = #expect(throws: GeoIndexError.self) { try UserPlaces(directory: kept.folder) }
    #expect(error?.remedy == .useNewerVersion)
  }

  @Test("The file can be read while another process writes.")
  func together() throws {
    let kept = try Kept()
    try kept.importText("name,lat,lon\nA,1,2\n")
    let reader = try #require(try UserPlaces.reading(directory: kept.folder))
    try kept.places.write { db in
      try db.execute(sql: "UPDATE source SET count = 2")
      #expect(try reader.sources().map(\.count) == [1])
    }
    #expect(try reader.sources().map(\.count) == [2])
  }

  @Test("A pin is found by its name, regardless of case and accents.")
  func pins() throws {
    let places = try Kept().places
    try places.pin("Élise", latitude: 31.2, longitude: 121.4, in: nil)
    try places.pin("@home", latitude: 1.123456789, longitude: 2, altitude: 5, in: nil)
    try places.pin("HOME", latitude: 3, longitude: 4, in: nil)
    #expect(try places.pins().map(\.name) == ["HOME", "Élise"])
    #expect(try places.pin(named: "@elise")?.latitude == 31.2)
    #expect(try places.unpin("home") && !places.unpin("home"))
    #expect(try places.pin(named: "home") == nil)
    #expect(try places.sources().isEmpty)
    for name in ["", "@", "…"] {
      #expect(throws: GeoIndexError.self) { try places.pin(name, latitude: 1, longitude: 2, in: nil) }
    }
  }

  @Test("A pin never replaces one whose name differs in signs or accents.")
  func likePins() throws {
    let places = try Kept().places
    try places.pin("Élise", latitude: 1, longitude: 2, in: nil)
    for name in ["Elise", "Élise!", "-élise", "É lise"] {
      let error = #expect(throws: GeoIndexError.self) { try places.pin(name, latitude: 3, longitude: 4, in: nil) }
      #expect(error?.description.contains("@Élise (1.0,2.0)") == true)
    }
    #expect(try places.pins().map(\.latitude) == [1])
    try places.pin("ÉＬISE", latitude: 5, longitude: 6, in: nil)
    #expect(try places.pins().map(\.latitude) == [5])
  }

  @Test("Recent places are kept newest first, each once and up to a limit, until they are forgotten.")
  func recents() throws {
    let kept = try Kept()
    try kept.importText("name,lat,lon\n" + (0..<30).map { "P\($0),\($0),1\n" }.joined())
    for place in try kept.all() { try kept.places.remember(place) }
    let first = try #require(try kept.all().last)
    try kept.places.remember(try #require(try kept.places.recents().last))
    #expect(try kept.places.recents().count == UserPlaces.mostRecents)
    #expect(try kept.places.recents()[1].id == first.id)
    try kept.places.forgetRecents()
    #expect(try kept.places.recents().isEmpty)
  }
}
