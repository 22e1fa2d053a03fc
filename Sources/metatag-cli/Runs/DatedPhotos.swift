import MetaTag
import SystemPackage

/// Photos whose dates earlier runs moved.
struct DatedPhotos: Sendable {
  private var runs: [FilePath: RunID] = [:]

  init() {}

  /// Looks in the journal, where there is one.
  /// - Parameter isTrial: What a run that was cut off left undone stays so.
  init(among shots: [Shot], isTrial: Bool, telling console: Console) throws {
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
      if let run = paths.compactMap({ runs[$0] }).max() { runs[shot.input.path] = run }
    }
  }

  /// The newest that moved the dates of the photo at this path.
  func run(of path: FilePath) -> RunID? { runs[path] }
}

extension RunSummary {
  /// Whether it moved dates as one corrects a clock. A plan can have been of anything.
  fileprivate var mayMoveDates: Bool {
    let words = Array(arguments.dropFirst().prefix { $0 != "--" })
    guard undoes == nil, standing > 0, let command = words.first else { return false }
    switch command {
    case "apply": return true
    // What a long stay tells moves no dates; of what else such a run moved, the photos themselves tell.
    case "geotag": return words.contains("--fix-dates") && words.values(of: "--max-stay").isEmpty
    case "date": return words.dropFirst().first.map { ["shift", "repair", "from-gps"].contains($0) } ?? false
    default: return false
    }
  }
}
