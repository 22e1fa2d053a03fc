import MetaTag
import SystemPackage

/// Photos whose dates earlier runs moved.
struct DatedPhotos: Sendable {
  private var runs: [FilePath: RunID] = [:]

  init() {}

  /// Reads the journal, if there is one.
  /// - Parameters:
  ///   - others: Runs that the user names: their photos are moved again.
  ///   - isTrial: Whether to leave the remains of an interrupted run as they are.
  init(among photos: [Photo], despite others: [Int], isTrial: Bool, console: Console) throws {
    let found = try isTrial ? Journal.read(console: console) : Journal.settled(console: console)
    guard let journal = found else { return }
    let paths = photos.map { photo in ([photo.input.path] + photo.companions.map(\.path)).compactMap(\.resolved) }
    let files = Set(paths.joined())
    // Newest first.
    for run in try journal.runs(limit: .max) where run.mayMoveDates {
      var moved = try journal.files(among: files, changedBy: run.id).subtracting(runs.keys)
      if run.mayKeepDates, !moved.isEmpty {
        let earlier = try EarlierPhotos(before: [run.id], in: journal)
        moved = moved.filter { !earlier.hasSameDates($0) }
      }
      for file in moved { runs[file] = run.id }
    }
    guard !runs.isEmpty else { return }
    for (photo, paths) in zip(photos, paths) {
      runs[photo.input.path] = paths.compactMap { runs[$0] }.max()
    }
    let known = Set(others.map { RunID(Int64($0)) })
    runs = runs.filter { !known.contains($0.value) }
  }

  /// Returns the newest run that moved the dates of the photo at this path.
  func run(of path: FilePath) -> RunID? { runs[path] }
}

extension RunSummary {
  /// Whether it may have moved dates to correct a clock. A plan may contain anything.
  var mayMoveDates: Bool {
    let words = arguments.dropFirst().prefix { $0 != "--" }
    guard undoes == nil, standing > 0, let command = words.first else { return false }
    switch command {
    case "apply": return true
    case "geotag": return words.contains("--fix-dates")
    case "date": return words.dropFirst().first.map { ["shift", "repair", "from-gps"].contains($0) } ?? false
    default: return false
    }
  }

  /// Whether it may have kept the dates of some photos: `--fix-dates` doesn't use the uncertain clock of a long stop.
  fileprivate var mayKeepDates: Bool { arguments.contains { $0.hasPrefix("--max-stay") } }
}

extension EarlierPhotos {
  /// Whether the run left the photo's dates as they were. False if unknown.
  fileprivate func hasSameDates(_ path: FilePath) -> Bool {
    guard let before = metadata(of: path), let now = try? ImageSource(path).metadata() else {
      return false
    }
    return before.captureTimes == now.captureTimes
  }
}
