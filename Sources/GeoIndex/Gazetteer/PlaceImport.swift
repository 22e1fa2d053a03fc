import Basics
public import Foundation

/// The options for importing a file of places.
public struct PlaceImport: Sendable {
  /// The name of the import: `UserPlaceSource.name`.
  public var source: String
  /// The kind of places for which the file doesn't specify one.
  public var kind = Place.Kind.own
  /// Whether invalid entries are skipped; otherwise a single one prevents the import.
  public var skipsBadEntries = false

  /// Creates an import that replaces earlier places of the same source.
  /// - Parameter source: The name of the import.
  public init(source: String) { self.source = source }

  /// The completed part of the work.
  @nonexhaustive
  public enum Progress: Sendable, Hashable {
    /// The file is read; the total is 0 if unknown.
    case reading(bytes: Int, of: Int)
    /// The file was read, and the index of its places is written; the share is 0...1.
    case indexing(share: Double)
  }

  /// The result of an import.
  public struct Report: Sendable, Hashable {
    /// The name of the file's format.
    public fileprivate(set) var format = ""
    /// The number of places that were imported.
    public fileprivate(set) var imported = 0
    /// The number of entries that repeat an earlier one: with the same id or, without one, the same name and position.
    public fileprivate(set) var duplicates = 0
    /// The number of imported places that the gazetteer or another import also has: with the same name, of a similar
    /// kind, and near. A search returns them once.
    public fileprivate(set) var known = 0
    /// The number of tracks, and of lines and areas without a name, which are not imported.
    public fileprivate(set) var shapes = 0
    /// The number of objects of a database that can't be places: the file lacks their position, or their name is too
    /// long.
    public fileprivate(set) var unplaced = 0
    /// The terms of the database that the places are from; nil for the user's own data.
    public fileprivate(set) var terms: PlaceTerms?
    /// The number of invalid entries.
    public fileprivate(set) var bad = 0
    /// The problems of the first ten invalid entries, each with the entry's name.
    public fileprivate(set) var flaws: [String] = []

    fileprivate mutating func note(_ entry: String, _ why: String) {
      bad += 1
      if flaws.count < 10 { flaws.append("\(entry): \(why)") }
    }
  }
}

extension UserPlaces {
  /// Imports the places of a file, whose format is detected by its content: CSV, TSV, GeoJSON or a sequence of its
  /// features, KML, GPX, OpenStreetMap's PBF, a dump of GeoNames, or a result of Wikidata's query service, also the only
  /// one in a zip archive (KMZ). An earlier import of the same name is replaced. The import is atomic: if anything goes
  /// wrong, or if the file has no place, nothing changes. A `Gazetteer` that is open keeps the places that it has. The file
  /// can be of any size.
  /// - Parameters:
  ///   - file: The file. It is read once, from beginning to end, but PBF several times.
  ///   - options: The options of the import.
  ///   - index: Determines the country and time zone of places for which the file doesn't specify them; nil leaves them
  ///     open.
  ///   - date: The date of the import.
  ///   - progress: Called with the completed part of the work.
  /// - Throws: `.badFile` if the file's format is unknown, or if the file breaks its rules or has an invalid entry;
  ///   `.userPlaces`; the errors of `Gazetteer.reverse`.
  public func importPlaces(
    from file: URL, _ options: PlaceImport, in index: Gazetteer?, at date: Date,
    progress: @escaping (PlaceImport.Progress) -> Void = { _ in }
  ) throws(GeoIndexError) -> PlaceImport.Report {
    guard options.source != Place.pins, !options.source.isEmpty,
      options.source.utf8.count <= PlaceDraft.longest
    else {
      throw GeoIndexError(.badFile, "an import can't be named '\(options.source)'", remedy: .chooseAnotherName)
    }
    let path = file.path(percentEncoded: false)
    do {
      try makeFolder()
      let (places, report) = try read(path, options, index) { progress(.reading(bytes: $0, of: $1)) }
      // If the file contains no place, the previous import is kept.
      guard report.imported > 0 else { return report }
      // An absolute path is stored, because it identifies the file from any folder.
      let origin = file.standardizedFileURL.path(percentEncoded: false)
      let source = UserPlaceSource(
        name: options.source, count: report.imported, imported: date, file: origin, format: report.format,
        kind: options.kind, terms: report.terms)
      try keep(places, as: source) { progress(.indexing(share: $0)) }
      return report
    } catch let error as GeoIndexError {
      throw error
    } catch let error as FileError {
      throw GeoIndexError(.badFile, "the file can't be imported: \(error)", remedy: error.remedy)
    } catch {
      throw (error as? CocoaError)?.code == .fileWriteOutOfSpace ? isFull : isClosed
    }
  }

  /// Imports the places of a file, outside Swift's threads. An import that has begun isn't cancelled with its task.
  /// - Throws: Like the function for threads that may block.
  public func importPlaces(
    from file: URL, _ options: PlaceImport, in index: Gazetteer?, at date: Date,
    progress: @escaping @Sendable (PlaceImport.Progress) -> Void = { _ in }
  ) async throws(GeoIndexError) -> PlaceImport.Report {
    try await offloading {
      Result { () throws(GeoIndexError) in
        try importPlaces(from: file, options, in: index, at: date, progress: progress)
      }
    }.get()
  }

  private static let formatNames =
    "CSV, TSV, GeoJSON, KML, KMZ, GPX, OSM PBF, a dump of GeoNames or a result of Wikidata's query service"

  /// Reads all places of a file.
  private func read(
    _ path: String, _ options: PlaceImport, _ index: Gazetteer?,
    _ progress: @escaping (_ read: Int, _ size: Int) -> Void
  ) throws -> (ImportedPlaces, PlaceImport.Report) {
    let file = try PlaceFile(path, progress: progress)
    let head = file.window.head
    guard let format = placeFormats.first(where: { $0.recognizes(head) }) else {
      if head.isEmpty { throw GeoIndexError(.badFile, "the file is empty") }
      if head.starts(with: [0x1F, 0x8B]) {
        throw GeoIndexError(.badFile, "the file is compressed with gzip: unpack it first")
      }
      let root = XMLScanner.root(of: head).map { ": its root element is <\($0)>" } ?? ""
      throw GeoIndexError(.badFile, "unknown file format, expected \(Self.formatNames)\(root)")
    }
    var places = try ImportedPlaces(in: folder)
    var (report, surroundings, folding) = (PlaceImport.Report(), Surroundings(index), Folding())
    // The import that is replaced doesn't count.
    let others = (index?.indexes ?? []).filter { $0.source != options.source }
    report.format = format.name
    try format.read(file) { entry in
      switch entry {
      case .shape: report.shapes += 1
      case .unplaced: report.unplaced += 1
      case .duplicate: report.duplicates += 1
      case .bad(let entry, let why): report.note(entry, why)
      case .place(let draft, let entry):
        do {
          let place = try draft.place(source: options.source, kind: options.kind, surroundings: &surroundings)
          if try places.add(place, names: draft.names) {
            report.imported += 1
            if report.terms == nil { report.terms = draft.terms }
            let (key, point) = (folding.keyBytes(place.name), place.coordinate)
            if others.contains(where: { $0.hasPlace(key, of: place.kind, at: point) }) { report.known += 1 }
          } else if let other = try places.place(place.id), other != Self.identity(place) {
            report.note(entry, "its id '\(draft[.id] ?? "")' is already used by '\(other.name)'")
          } else {
            report.duplicates += 1
          }
        } catch let flaw as PlaceDraft.Flaw {
          report.note(entry, flaw.sentence)
        }
      }
    }
    guard report.bad == 0 || options.skipsBadEntries else {
      throw GeoIndexError(
        .badFile,
        "\(report.bad) of its entries are not valid places, so nothing was imported:\n"
          + report.flaws.map { "  \($0)" }.joined(separator: "\n"), remedy: .skipInvalidRows)
    }
    return (places, report)
  }

  private static func identity(_ place: Place) -> (name: String, latitude: Int32, longitude: Int32) {
    (
      place.name, Int32((place.latitude * PlaceIndex.unitsPerDegree).rounded()),
      Int32((place.longitude * PlaceIndex.unitsPerDegree).rounded())
    )
  }
}

extension PlaceImport {
  /// Reads every place of a file without keeping it. Returns how many there are; nil if the file has another format.
  /// - Parameter name: The name of the format; nil if the content decides.
  /// - Throws: The errors of an import.
  package static func check(_ path: String, format name: String?) throws -> Int? {
    let file = try PlaceFile(path)
    let head = file.window.head
    guard let format = placeFormats.first(where: { $0.recognizes(head) }), name == nil || format.name == name else {
      return nil
    }
    var (count, surroundings) = (0, Surroundings(nil))
    try format.read(file) { entry in
      guard case .place(let draft, _) = entry else { return }
      do {
        _ = try draft.place(source: "x", kind: .own, surroundings: &surroundings)
        count += 1
      } catch is PlaceDraft.Flaw {}
    }
    return count
  }
}

extension PlaceDraft {
  /// Returns the place that the draft describes; what the file doesn't say comes from its surroundings.
  /// - Parameters:
  ///   - source: The name of the import.
  ///   - kind: The kind of the place if the file doesn't specify it.
  func place(source: String, kind: Place.Kind, surroundings: inout Surroundings) throws -> Place {
    guard let name = self[.name] else { throw Flaw(sentence: "it has no name") }
    guard name.utf8.count <= Self.longest else {
      throw Flaw(sentence: "its name is longer than \(Self.longest) bytes")
    }
    let point = try self.point ?? position()
    let altitude = try number(.altitude, -20_000...100_000_000)
    let stated = self.kind ?? self[.category].flatMap { Place.Kind(rawValue: $0.lowercased()) }
    let kind = stated == .coordinate ? kind : stated ?? kind
    // A region is where its border is, not in a circle.
    let extent = kind.group == .region ? nil : self.radius.map { min($0, 100_000) }
    let radius = try number(.radius, 0...100_000) ?? extent ?? Self.radius
    let population = try number(.population, 0...Double(UInt32.max)) ?? 0
    let around = try surroundings.at(point, country: self[.country], region: self[.region], zone: self[.zone])
    // Ten digits below a degree are finer than any survey, and the same on every machine.
    let identity = self[.id].map { "id \($0)" } ?? "\(name)\u{1F}\(point.latitude)\u{1F}\(point.longitude)"
    let category = self[.category].flatMap { Place.Kind(rawValue: $0.lowercased()) == nil ? $0 : nil }
    var place = Place(
      id: UserPlaceID.number(source: source, identity: identity), name: name, matchedName: name,
      kind: kind, countryCode: around.code, country: around.country,
      admin1: kind == .country ? nil : around.region, latitude: point.latitude, longitude: point.longitude,
      population: Int(population),
      timeZone: around.zone,
      own: .init(source: source, category: category, altitude: altitude, radius: radius))
    let usual =
      kind == .own && terms == nil
      ? Importance.ofOwnPlace : Importance.of(kind, ImportanceFactors(population: Int(population)))
    place.importance = importance ?? usual
    return place
  }
}

/// Determines the country, region and time zone of a user's place: from its file, otherwise from the gazetteer's
/// borders.
struct Surroundings {
  /// The gazetteer; nil if only the file is used.
  let index: Gazetteer?
  private var codes: [String: String] = [:]
  private var names: [String: String] = [:]

  init(_ index: Gazetteer?) { self.index = index }

  /// The surroundings of a position.
  struct Answer {
    var code = ""
    var country = ""
    var region: String?
    var zone = ""
  }

  /// Returns the country, region and time zone of a place to import.
  /// - Parameter country: A code, or a name in any language; if it is unknown, the borders decide.
  mutating func at(_ point: Coordinate, country: String?, region: String?, zone: String?) throws(GeoIndexError)
    -> Answer
  {
    var answer = Answer()
    if let index {
      let found = try index.reverse(latitude: point.latitude, longitude: point.longitude)
      answer.code = found.countryCode ?? ""
      answer.region = found.admin1?.name
      answer.zone = found.zones.first ?? ""
    }
    if let country, let code = code(of: country), code != answer.code {
      answer.code = code
      answer.region = nil
    }
    answer.country = name(of: answer.code)
    if let region { answer.region = region }
    if let zone { answer.zone = zone }
    return answer
  }

  private mutating func code(of country: String) -> String? {
    if let known = codes[country] { return known.isEmpty ? nil : known }
    let code: String
    if country.utf8.count == 2, country.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) {
      code = country.uppercased()
    } else {
      code = index?.countries(named: country).first ?? ""
    }
    // A file with thousands of countries has other data in that column.
    if codes.count < 10_000 { codes[country] = code }
    return code.isEmpty ? nil : code
  }

  private mutating func name(of code: String) -> String {
    guard let index, !code.isEmpty else { return code }
    if names.isEmpty { names = index.world.countries }
    return names[code] ?? code
  }
}
