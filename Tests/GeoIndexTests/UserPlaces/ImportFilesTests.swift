import Basics
import Foundation
import GRDB
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Files of imports")
struct ImportFilesTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: kept.places.folder).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test("A gazetteer that is open keeps its places when an import is replaced or removed.")
  func replaced() throws {
    try kept.importText("name,lat,lon\nOld hut,1,2\n")
    let before = try kept.gazetteer()
    let first = try files()
    try kept.importText("name,lat,lon\nNew hut,1,2\n")
    let after = try kept.gazetteer()
    _ = try kept.places.remove(source: "mine")
    #expect(try before.search("old hut").map(\.name) == ["Old hut"])
    #expect(try after.search("new hut").map(\.name) == ["New hut"])
    #expect(try kept.gazetteer().search("new hut").isEmpty)
    #expect(first.count == 2)
    #expect(try files().isEmpty)
  }

  @Test("An import that fails leaves the earlier one, and no file.")
  func failed() throws {
    try kept.importText("name,lat,lon\nOld hut,1,2\n")
    let before = try files()
    #expect(throws: GeoIndexError.self) { try kept.importText("name,lat,lon\nNew hut,1,2\nBad,x,2\n") }
    #expect(try kept.importText("<gpx></gpx>").imported == 0)
    #expect(try files() == before)
    #expect(try kept.gazetteer().search("old hut").count == 1)
  }

  @Test("The file of an import that was interrupted is removed a day later.")
  func interrupted() throws {
    try kept.importText("name,lat,lon\nHut,1,2\n")
    let known = try files().first
    for (name, age) in [("young", 60.0), ("old", 100_000)] {
      let path = "\(kept.places.folder)/\(name).places"
      try Data("x".utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
    }
    try kept.importText("name,lat,lon\nOther,1,2\n", as: "other")
    let after = try files()
    #expect(after.contains("young.places") && !after.contains("old.places"))
    #expect(after.contains { $0 == known } && after.count == 5)
  }

  @Test("Imports in a copied folder are read, and a damaged one is left out: a name then can't be resolved.")
  func copied() throws {
    try kept.importText("name,lat,lon\nHut,1,2\n")
    let copy = kept.scratch.url.appending(path: "copy")
    try FileManager.default.copyItem(at: kept.folder, to: copy)
    let places = try #require(try UserPlaces.reading(directory: copy))
    #expect(try places.imports(in: nil).indexes.map(\.count) == [1])
    let path = try #require(try files().first { $0.hasSuffix(".places") })
    let file = copy.appending(path: "imports/\(path)")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    #expect(try places.imports(in: nil).damaged == ["mine"])
    try FileManager.default.removeItem(at: file)
    let gazetteer = try kept.gazetteer(own: places)
    #expect(gazetteer.damagedImports == ["mine"])
    #expect(try gazetteer.search("hut").isEmpty)
    let error = #expect(throws: GeoIndexError.self) { try gazetteer.resolve("hut") }
    #expect(error?.code == .userPlaces && error?.remedy == .updateImport)
  }

  @Test("Places whose names have no letter are imported, and found by their position.")
  func noLetters() throws {
    var shares: [Double] = []
    let file = try kept.scratch.write(Array("name,lat,lon\n😀,47,11\n…,47,11.001\n".utf8), as: "signs.csv")
    let report = try kept.places.importPlaces(from: file, PlaceImport(source: "signs"), in: nil, at: .distantPast) {
      if case .indexing(let share) = $0 { shares.append(share) }
    }
    #expect(report.imported == 2 && shares.allSatisfy { (0...1).contains($0) })
    let near = try kept.gazetteer().near(latitude: 47, longitude: 11, within: 500, limit: 5)
    #expect(near.map(\.place.name) == ["😀", "…"])
  }

  @Test("With too many regions, places keep their country.")
  func manyRegions() throws {
    let rows = (0..<65_600).map { "P\($0),1,\(Double($0) / 1_000),FR,Region \($0)\n" }.joined()
    try kept.importText("name,lat,lon,country,region\n" + rows + "Last,2,2,JP,Kyoto\nNone,3,3,,\n")
    let index = try #require(try kept.places.imports(in: nil).indexes.first)
    let places = (0..<index.count).map { index.place($0) }
    #expect(places.filter { $0.countryCode == "FR" }.count == 65_600)
    #expect(places.first { $0.name == "P0" }?.admin1 == "Region 0")
    #expect(places.first { $0.name == "P65599" }?.admin1 == nil)
    #expect(places.first { $0.name == "Last" }?.countryCode == "JP")
    #expect(places.first { $0.name == "None" }?.countryCode == "")
  }

  @Test("A missing file of an import is named.")
  func missing() throws {
    try kept.importText("name,lat,lon\nHut,1,2\n", as: "huts")
    for file in try files() { try FileManager.default.removeItem(atPath: "\(kept.places.folder)/\(file)") }
    try kept.importText("name,lat,lon\nBridge,1,2\n", as: "bridges")
    let gazetteer = try kept.gazetteer()
    #expect(gazetteer.damagedImports == ["huts"])
    #expect(try gazetteer.search("bridge").count == 1)
  }

  @Test("The imports and pins of version 0.1.0 are converted on first use.", arguments: [true, false])
  func converted(isWriting: Bool) throws {
    let scratch = try Scratch()
    let database = try DatabaseQueue(path: scratch.url.appending(path: "places.sqlite").path(percentEncoded: false))
    try UserPlaceSchema.migrator.migrate(database, upTo: "1")
    try database.write { db in
      for (number, name) in [(1, "pins"), (2, "huts"), (3, "none")] {
        try db.execute(
          sql: "INSERT INTO source VALUES (?, ?, '/old/\(name).csv', 'CSV', 1700000000, 250)",
          arguments: [number, name])
      }
      for (id, name, source) in [(-10, "Home", 1), (-11, "Großer Speicher", 2), (-12, "Hut", 2)] {
        try db.execute(
          sql: """
            INSERT INTO place VALUES (?, ?, 'own', 'JP', 'Japan', 'Kyoto', 35.1234567, 135.5, 7, 'Asia/Tokyo', 'shed', 21.5,
              250, ?, 140)
            """, arguments: [id, name, source])
        var names = UserPlaceName()
        for alias in [nil, "Granary \(-id)"] {
          try names.forEachKey(alias ?? name) { form, key in
            try db.execute(
              sql: "INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?, ?)",
              arguments: [source, form.rawValue, Data(key), id, alias])
          }
        }
      }
    }
    try database.close()
    let places =
      isWriting ? try UserPlaces(directory: scratch.url) : try #require(try UserPlaces.reading(directory: scratch.url))
    #expect(try places.sources().map { "\($0.name) \($0.count) \($0.format)" } == ["huts 2 CSV", "none 0 CSV"])
    let gazetteer = try Gazetteer(
      gazetteer: scratch.write(TinyGazetteer().bytes, as: "gazetteer.bin"),
      cacheDirectory: scratch.url.appending(path: "cache"), own: places)
    let found = try #require(try gazetteer.search("granary 11").first?.place)
    #expect(found.name == "Großer Speicher" && found.id == -11 && found.latitude == 35.1234567)
    #expect(found.own == .init(source: "huts", category: "shed", altitude: 21.5, radius: 250))
    #expect(found.admin1 == "Kyoto" && found.timeZone == "Asia/Tokyo" && found.population == 7)
    #expect(try gazetteer.search("hut, kyoto").first?.place.id == -12)
    #expect(try places.pins().map(\.name) == ["Home"])
    #expect(try places.remove(source: "huts") == 2)
  }
}

@Suite("Imported places with the gazetteer's")
struct ImportedPlacesTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  @Test("A place that two sources have is found once, and counted in the report.")
  func merged() throws {
    let whole = try WholeGazetteer.index()
    let text = "name,lat,lon,category,country,aliases\nKyoto,35.02,135.75,city,JP,Keishi\nKyoto,35.03,135.75,own,JP,\n"
    #expect(try kept.importText(text, in: whole).known == 1)
    try kept.importText("name,lat,lon,category\nUji,34.89,135.81,city\nUji,-34,135.81,city\n", as: "other", in: whole)
    let index = try kept.gazetteer()
    // The user's own kind is never another place.
    #expect(try index.search("kyoto").map { $0.place.own?.source } == [nil, "mine"])
    #expect(try index.search("uji").map { $0.place.own?.source } == [nil, "other"])
    #expect(try index.search("keishi").map(\.name) == ["Kyoto"])
    let near = try index.near(latitude: 34.89, longitude: 135.8, within: 20_000, limit: 9)
    #expect(near.map(\.place.name) == ["Uji", "Kyoto", "Kyoto"])
  }

  @Test("Imported places rank by how well known they are, and lie in the gazetteer's regions and towns.")
  func ranked() throws {
    try kept.importText(
      """
      name,lat,lon,category,country,region,population
      Springfield,35.01,135.76,city,JP,Kyoto,2000
      Springfield,48.85,2.35,city,FR,Île-de-France,900000
      Golden Hall,35.02,135.76,temple,JP,Kyoto,
      Golden Hall,48.85,2.35,theatre,FR,,
      """, in: WholeGazetteer.index())
    let index = try kept.gazetteer()
    #expect(try index.search("springfield").map(\.place.countryCode) == ["FR", "JP"])
    for text in ["springfield, kyoto", "springfield japan", "golden hall kyoto", "golden hall, 京都", "temple, kyoto"] {
      let found = try index.search(text)
      #expect(found.first?.place.countryCode == "JP", "\(text): \(found.map(\.name))")
    }
    #expect(try index.search("golden hal").first?.name == "Golden Hall")
    #expect(try index.search("golden ha", isCompleting: true).map(\.name) == ["Golden Hall", "Golden Hall"])
    #expect(try index.search("springfield", in: ["JP"]).count == 1)
    #expect(try index.search("springfield", kinds: [.temple]).isEmpty)
  }

  @Test("The first words of an imported name count like any of its words.")
  func firstWords() throws {
    try kept.importText("name,lat,lon,category\nQuorlinga Hut,47,11,hut\n")
    let index = try kept.gazetteer()
    for text in ["quorlinga", "hut"] { #expect(try index.search(text).first?.score.match ?? 0 > 0.7, "\(text)") }
    #expect(try index.search("quorling").first?.score.match ?? 1 < 0.7)
  }

  @Test("An imported area is found by a position in it, and names nothing outside.")
  func areas() throws {
    try kept.importText("name,lat,lon,category,radius\nWide Park,48,2,park,9000\nShed,48,2,own,\n")
    let index = try kept.gazetteer()
    #expect(try index.areasOfInterest(latitude: 48.05, longitude: 2.05).map(\.name) == ["Wide Park"])
    #expect(try index.areasOfInterest(latitude: 48.2, longitude: 2.05).isEmpty)
    #expect(try index.ownPlace(latitude: 48.001, longitude: 2)?.place.name == "Shed")
    #expect(try index.ownPlace(latitude: 48.05, longitude: 2.05)?.place.name == "Wide Park")
    let near = try index.near(latitude: 48.1, longitude: 2, within: 3_000, limit: 5)
    #expect(near.map(\.place.name) == ["Wide Park"])
    #expect(abs((near.first?.distance ?? 0) - 2_119) < 20)
  }
}
