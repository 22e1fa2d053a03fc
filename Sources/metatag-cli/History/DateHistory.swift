import MetaTag
import SystemPackage

/// Dates that earlier runs corrected.
extension DateFacts.History {
  /// Reads the journal, if there is one.
  init(among photos: [Photo]) throws {
    self.init()
    clocks = try PlacedPhotos(among: photos).clocks
    corrected = try Self.correctedSidecars(of: photos)
  }

  /// Returns the sidecars whose dates a run corrected, and that are still as this or a later run left them.
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
  /// The number of its changes that weren't undone.
  var standing: Int { changed + created }

  /// Whether it may have corrected dates by what photos record. A date set by hand isn't a correction of the raw file's
  /// date. A plan may contain anything.
  fileprivate var mayCorrectSidecars: Bool {
    let words = arguments.dropFirst().prefix { $0 != "--" }
    if isOfRows { return true }
    switch words.first {
    case "geotag": return words.contains("--fix-dates")
    case "date":
      guard let command = words.dropFirst().first else { return false }
      return ["shift", "repair", "from-gps"].contains(command) || command == "zone" && words.contains("--keep-instant")
    default: return false
    }
  }
}

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
    if isOfRows { return true }
    switch command {
    case "geotag": return words.contains("--fix-dates")
    case "date": return words.dropFirst().first.map { ["shift", "repair", "from-gps"].contains($0) } ?? false
    default: return false
    }
  }

  /// Whether it may have kept the dates of some photos: a plan may be about something else, and `--fix-dates` doesn't
  /// use the uncertain clock of a long stop.
  fileprivate var mayKeepDates: Bool { isOfRows || arguments.contains { $0.hasPrefix("--max-stay") } }

  /// Whether it made the changes of rows of a plan, here or in a journal of workers that was taken over.
  fileprivate var isOfRows: Bool {
    arguments.dropFirst().first.map { ["apply", "worker", "runs"].contains($0) } ?? false
  }
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
