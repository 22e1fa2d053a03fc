import MetaTag
import SystemPackage

/// Photos whose dates earlier runs moved.
struct DatedPhotos: Sendable {
  private var runs: [FilePath: RunID] = [:]

  init() {}

  /// Looks in the journal, where there is one.
  /// - Parameters:
  ///   - others: Runs that the user knows about: their photos are to be moved once more.
  ///   - isTrial: What a run that was cut off left undone stays so.
  init(among shots: [Shot], despite others: [Int], isTrial: Bool, telling console: Console) throws {
    let found = try isTrial ? Journal.read(telling: console) : Journal.settled(telling: console)
    guard let journal = found else { return }
    let paths = shots.map { shot in ([shot.input.path] + shot.companions.map(\.path)).compactMap(\.resolved) }
    let files = Set(paths.joined())
    // Newest first.
    for run in try journal.runs(limit: .max) where run.mayMoveDates {
      for file in try journal.files(among: files, changedBy: run.id) where runs[file] == nil { runs[file] = run.id }
    }
    guard !runs.isEmpty else { return }
    for (shot, paths) in zip(shots, paths) {
      runs[shot.input.path] = paths.compactMap { runs[$0] }.max()
    }
    let known = Set(others.map { RunID(Int64($0)) })
    runs = runs.filter { !known.contains($0.value) }
  }

  /// The newest that moved the dates of the photo at this path.
  func run(of path: FilePath) -> RunID? { runs[path] }
}

extension RunSummary {
  /// Whether it moved dates as one corrects a clock. A plan can have been of anything.
  var mayMoveDates: Bool {
    let words = arguments.dropFirst().prefix { $0 != "--" }
    guard undoes == nil, changed > 0, let command = words.first else { return false }
    switch command {
    case "apply": return true
    case "geotag": return words.contains("--fix-dates")
    case "date": return words.dropFirst().first.map { ["shift", "repair", "from-gps"].contains($0) } ?? false
    default: return false
    }
  }
}
