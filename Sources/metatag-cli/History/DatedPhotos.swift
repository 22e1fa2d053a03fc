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

  /// The newest that moved the dates of the photo at this path.
  func run(of path: FilePath) -> RunID? { runs[path] }
}

extension RunSummary {
  /// Whether it moved dates as one corrects a clock. A plan can have been of anything.
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

  /// Whether it left the dates of some of the photos that it changed: `--fix-dates` doesn't correct them by the uncertain
  /// clock of a long stay.
  fileprivate var mayKeepDates: Bool { arguments.contains { $0.hasPrefix("--max-stay") } }
}

extension EarlierPhotos {
  /// Whether the photo's dates are those that it had before. False where that can't be known.
  fileprivate func hasSameDates(_ path: FilePath) -> Bool {
    guard let before = metadata(of: path), let now = try? ImageSource(path).metadata() else {
      return false
    }
    return before.captureTimes == now.captureTimes
  }
}
