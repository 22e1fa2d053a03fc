import MetaTag
import SystemPackage

extension DateFacts.History {
  /// Looks in the journal, where there is one.
  init(among photos: [Photo]) throws {
    self.init()
    clocks = try PlacedPhotos(among: photos).clocks
    corrected = try Self.correctedSidecars(of: photos)
  }

  /// The sidecars whose dates a run corrected, and that are as that run, or a later one, left them.
  private static func correctedSidecars(of photos: [Photo]) throws -> Set<FilePath> {
    guard let journal = try Journal.ifAny() else { return [] }
    let sidecars = photos.flatMap { $0.companions.filter { $0.role == .sidecar }.map(\.path) }
    let paths = Dictionary(sidecars.compactMap { path in path.resolved.map { ($0, path) } }) { first, _ in first }
    guard !paths.isEmpty else { return [] }
    let files = Set(paths.keys)
    var (left, corrected): (Set<FilePath>, Set<FilePath>) = ([], [])
    // Newest first.
    for run in try journal.runs(limit: .max) where run.undoes == nil && run.standing > 0 {
      left.formUnion(try journal.files(among: files.subtracting(left), leftBy: run.id))
      if run.mayCorrectSidecars {
        corrected.formUnion(try journal.files(among: left.subtracting(corrected), changedBy: run.id))
      }
    }
    return Set(corrected.compactMap { paths[$0] })
  }
}

extension RunSummary {
  /// How many of its changes were not undone.
  var standing: Int { changed + created }

  /// Whether it corrected dates by what their photos record: what is set by hand is another date than the raw file's. A
  /// plan can have been of anything.
  fileprivate var mayCorrectSidecars: Bool {
    let words = arguments.dropFirst().prefix { $0 != "--" }
    switch words.first {
    case "apply": return true
    case "geotag": return words.contains("--fix-dates")
    case "date":
      guard let command = words.dropFirst().first else { return false }
      return ["shift", "repair", "from-gps"].contains(command) || command == "zone" && words.contains("--keep-instant")
    default: return false
    }
  }
}
