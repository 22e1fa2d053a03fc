import Basics

/// The dumps of GeoNames: places and postal codes. Tables of names in the same folder are used for the places.
struct GeoNamesPlaces: PlaceFormat {
  let name = "GeoNames"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { GeoNamesTable(firstLine: head) != nil }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    switch GeoNamesTable(firstLine: file.window.head) {
    case .places?: try readPlaces(file, take)
    case .postcodes?: try readPostcodes(file, take)
    case let table:
      throw GeoIndexError(
        .badFile, "it is \(table?.withoutPositions ?? "an unknown table"), which has no positions",
        remedy: .importGeoNamesDump)
    }
  }

  private func readPlaces(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    let names = try GeoNamesAlternateNames.near(file)
    let regions = try Self.regions(near: file)
    var lines = GeoNamesLines(file.window)
    while try lines.next() {
      try take(Self.place(lines, names, regions))
    }
  }

  private static func place(
    _ line: GeoNamesLines, _ names: GeoNamesAlternateNames?, _ regions: [String: String]
  ) -> ImportedPlace {
    let entry = "line \(line.number)"
    guard line.count == 19 else { return .bad(entry: entry, why: "it has \(line.count) columns, expected 19") }
    guard let id = line.number(0), let latitude = line.decimal(4), let longitude = line.decimal(5),
      let point = Coordinate(latitude: latitude, longitude: longitude)
    else { return .bad(entry: entry, why: "its id, latitude or longitude is not valid") }
    guard let name = line.text(1), let ascii = line.text(2), let others = line.text(3), let codes = line.text(6),
      let code = line.text(7), let country = line.text(8), let region = line.text(10), let zone = line.text(17)
    else { return .bad(entry: entry, why: "it is not valid UTF-8") }
    guard name.utf8.count <= PlaceDraft.longest else { return .unplaced }
    var draft = PlaceDraft()
    draft.point = point
    draft[.id] = "\(id)"
    draft[.name] = name
    draft.kind = GeoNamesKinds.table.kind(ofCode: code, in: codes)
    draft[.category] = code.isEmpty ? codes : "\(codes).\(code)"
    draft[.country] = country
    draft[.region] = regions["\(country).\(region)"]
    draft[.zone] = zone
    let population = line.number(14).flatMap { $0 <= 20_000_000_000 ? $0 : nil } ?? 0
    if population > 0 { draft[.population] = "\(population)" }
    // The second column is the average height of a grid cell, -9999 if unknown.
    let altitude = [15, 16].lazy.compactMap { line.decimal($0) }.first { (-9_998...10_000).contains($0) }
    if let altitude { draft[.altitude] = "\(altitude)" }
    var factors = ImportanceFactors(population: population, height: altitude ?? 0)
    names?.fill(&draft, &factors, id: id)
    let joined = Set(draft.names.map(\.text))
    let more = [Substring(ascii)] + others.split(separator: ",").prefix(1_000)
    for other in more where other != name && !joined.contains(String(other)) { draft.addName(String(other)) }
    // Without languages, about every second name is a spelling of another.
    if names == nil { factors.languages = others.split(separator: ",").count / 2 }
    draft.importance = Importance.of(draft.kind ?? .own, factors)
    draft.terms = .geoNames
    return .place(draft, entry: entry)
  }

  /// Reads the names of first-level regions, if their table is in the same folder.
  private static func regions(near file: PlaceFile) throws -> [String: String] {
    guard let table = try file.sibling(["admin1CodesASCII.txt"]) else { return [:] }
    var regions: [String: String] = [:]
    var lines = GeoNamesLines(table.window)
    // There are 4,000 regions.
    while try lines.next(), regions.count < 100_000 {
      guard let code = lines.text(0), let name = lines.text(1), name.utf8.count <= PlaceDraft.longest else { continue }
      regions[code] = name
    }
    return regions
  }

  private func readPostcodes(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    var lines = GeoNamesLines(file.window)
    // Rows of one code follow each other, one for each of its places.
    var last: (draft: PlaceDraft, country: String, code: String, entry: String)?
    while try lines.next() {
      let entry = "line \(lines.number)"
      guard (11...12).contains(lines.count), let latitude = lines.decimal(9), let longitude = lines.decimal(10),
        let point = Coordinate(latitude: latitude, longitude: longitude)
      else {
        try take(.bad(entry: entry, why: "it has no valid latitude and longitude in columns 10 and 11"))
        continue
      }
      guard let country = lines.text(0), let code = lines.text(1), let place = lines.text(2), let region = lines.text(3)
      else {
        try take(.bad(entry: entry, why: "it is not valid UTF-8"))
        continue
      }
      if let same = last, same.country == country, same.code == code {
        last?.draft.addName(place)
        try take(.duplicate)
        continue
      }
      if let last { try take(.place(last.draft, entry: last.entry)) }
      var draft = PlaceDraft()
      draft.point = point
      draft[.name] = code
      draft[.id] = "\(country) \(code)"
      draft.kind = .postcode
      draft.addName(place)
      draft[.country] = country
      draft[.region] = region
      draft.importance = Importance.of(.postcode, ImportanceFactors())
      draft.terms = .geoNames
      last = (draft, country, code, entry)
    }
    if let last { try take(.place(last.draft, entry: last.entry)) }
  }
}
