import MetaTag
import SystemPackage

extension DateFacts.History {
  /// Looks in the journal, where there is one.
  init(among shots: [Shot]) throws {
    self.init()
    clocks = try PlacedPhotos(among: shots).clocks
    dated = try Self.datedSidecars(of: shots)
  }

  /// The sidecars whose dates a run set or moved, and that are as that run, or a later one, left them.
  private static func datedSidecars(of shots: [Shot]) throws -> Set<FilePath> {
    guard let journal = try Journal.ifAny() else { return [] }
    let sidecars = shots.flatMap { $0.companions.filter { $0.role == .sidecar }.map(\.path) }
    let paths = Dictionary(sidecars.compactMap { path in path.resolved.map { ($0, path) } }) { first, _ in first }
    guard !paths.isEmpty else { return [] }
    let files = Set(paths.keys)
    var (left, dated): (Set<FilePath>, Set<FilePath>) = ([], [])
    // Newest first.
    for run in try journal.runs(limit: .max) where run.undoes == nil && run.standing > 0 {
      left.formUnion(try journal.files(among: files.subtracting(left), leftBy: run.id))
      if run.mayDateSidecars { dated.formUnion(try journal.files(among: left.subtracting(dated), changedBy: run.id)) }
    }
    return Set(dated.compactMap { paths[$0] })
  }
}

extension RunSummary {
  /// How many of its changes were not undone.
  var standing: Int { changed + created }

  /// Whether it gave sidecars dates of their own. A plan can have been of anything.
  fileprivate var mayDateSidecars: Bool {
    let words = arguments.dropFirst().prefix { $0 != "--" }
    switch words.first {
    case "apply": return true
    case "geotag": return words.contains("--fix-dates")
    case "date":
      guard let command = words.dropFirst().first else { return false }
      return command == "zone" ? words.contains("--keep-instant") : !["check", "sync-mtime"].contains(command)
    default: return false
    }
  }
}
