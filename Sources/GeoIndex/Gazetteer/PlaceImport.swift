public import Foundation
import GRDB

/// How a file of places is imported.
public struct PlaceImport: Sendable {
  /// What the import is called: `UserPlaceSource.name`.
  public var source: String
  /// What a place is if the file doesn't say.
  public var kind = Place.Kind.own
  /// Leave entries out that can't be places; else one of them keeps everything from being imported.
  public var skipsBadEntries = false

  /// - Parameter source: what the import is called.
  public init(source: String) { self.source = source }

  /// What became of a file's entries.
  public struct Report: Sendable, Hashable {
    /// Name of the file's format.
    public fileprivate(set) var format = ""
    /// Places that were imported.
    public fileprivate(set) var imported = 0
    /// Entries that are the same as an earlier one: by its id or, without one, by name and position.
    public fileprivate(set) var duplicates = 0
    /// Lines and areas, which are no places.
    public fileprivate(set) var shapes = 0
    /// Entries that can't be places.
    public fileprivate(set) var bad = 0
    /// What is wrong with the first of them, each with the entry's name.
    public fileprivate(set) var flaws: [String] = []

    fileprivate mutating func note(_ entry: String, _ why: String) {
      bad += 1
      if flaws.count < 10 { flaws.append("\(entry): \(why)") }
    }
  }
}

extension UserPlaces {
  /// Imports the places of a file: CSV, TSV, GeoJSON, KML or GPX, told by its content. What an earlier import of the
  /// same name brought is replaced. All of it is done or, if anything goes wrong or it has no place, nothing. How long
  /// the file is doesn't matter.
  /// - Parameters:
  ///   - file: it is read once, from its beginning to its end.
  ///   - options: how.
  ///   - index: says in which country and time zone places are whose file doesn't; nil leaves that open.
  ///   - date: when this is.
  ///   - progress: is told how many bytes of how many are read; of 0 if nobody knows.
  /// - Throws: `.badFile` if the file is of no known format, breaks its rules, or has an entry that is no place;
  ///   `.ownPlaces`; what `Gazetteer.reverse` throws.
  public func importPlaces(
    from file: URL, _ options: PlaceImport, in index: Gazetteer?, at date: Date,
    progress: @escaping (_ read: Int, _ size: Int) -> Void = { _, _ in }
  ) throws(GeoIndexError) -> PlaceImport.Report {
    guard options.source != UserPlaceSchema.pins, !options.source.isEmpty,
      options.source.utf8.count <= PlaceDraft.longest
    else {
      throw GeoIndexError(.badFile, "an import can't be called '\(options.source)': choose another name")
    }
    let path = file.path(percentEncoded: false)
    // Kept is what says which file it was from any folder.
    let origin = file.standardizedFileURL.path(percentEncoded: false)
    return try write { db in
      var report = PlaceImport.Report()
      // Without a place, what is there stays.
      try db.inSavepoint {
        report = try read(path, origin, options, index, date, progress, into: db)
        return report.imported > 0 ? .commit : .rollback
      }
      return report
    }
  }

  private func read(
    _ path: String, _ origin: String, _ options: PlaceImport, _ index: Gazetteer?, _ date: Date,
    _ progress: @escaping (_ read: Int, _ size: Int) -> Void, into db: Database
  ) throws -> PlaceImport.Report {
    var bytes = try ByteStream(path: path, progress: progress)
    let head = try bytes.head()
    guard let format = placeFormats.first(where: { $0.recognizes(head) }) else {
      let root = XMLStream.root(of: head).map { ": its outermost element is <\($0)>" } ?? ""
      throw GeoIndexError(.badFile, "the file is of no known format (CSV, TSV, GeoJSON, KML, GPX)\(root)")
    }
    var insertion = try UserPlaceInsertion(db, replacing: options.source, file: origin, format: format.name, at: date)
    var (report, surroundings) = (PlaceImport.Report(), Surroundings(index))
    report.format = format.name
    try format.read(&bytes) { entry in
      switch entry {
      case .shape: report.shapes += 1
      case .bad(let entry, let why): report.note(entry, why)
      case .place(let draft, let entry):
        do {
          let place = try draft.place(source: options.source, kind: options.kind, surroundings: &surroundings)
          if try insertion.insert(place, alternateNames: draft.alternateNames) {
            report.imported += 1
          } else if let other = try insertion.otherPlace(like: place) {
            report.note(entry, "its id '\(draft[.id] ?? "")' is that of another place, '\(other)'")
          } else {
            report.duplicates += 1
          }
        } catch let flaw as PlaceDraft.Flaw {
          report.note(entry, flaw.sentence)
        }
      }
    }
    try insertion.finish()
    guard report.bad == 0 || options.skipsBadEntries else {
      throw GeoIndexError(
        .badFile,
        "\(report.bad) of its entries can't be places, so nothing was imported:\n"
          + report.flaws.map { "  \($0)\n" }.joined() + "correct them, or leave them out with --skip-bad-rows")
    }
    return report
  }
}
