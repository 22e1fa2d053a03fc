import MetaTag
import SystemPackage

/// Photos that are as earlier runs left them, which placed them by a corrected clock and left the dates.
struct PlacedPhotos: Sendable {
  private var clocks: [FilePath: DateFacts.KnownClock] = [:]

  /// Looks in the journal, where there is one.
  init(among shots: [Shot]) throws {
    guard let journal = try Journal.ifAny() else { return }
    let told = try journal.runs(limit: .max).compactMap { run in run.toldClock.map { (run.id, $0) } }
    guard !told.isEmpty else { return }
    let paths = shots.map { ($0.input.path, $0.input.path.resolved) }
    let files = Set(paths.compactMap(\.1))
    for (run, error) in told {
      let left = try journal.files(among: files, leftBy: run)
      for (path, file) in paths where file.map(left.contains) ?? false {
        clocks[path] = clocks[path] ?? .init(run, error: error)
      }
    }
  }

  /// What the run that left the photo as it is was told of its clock.
  func clock(of shot: Shot) -> DateFacts.KnownClock? { clocks[shot.input.path] }
}

extension RunSummary {
  /// What it was told of the clock of all photos that it changed, whose dates it left.
  fileprivate var toldClock: TimeShift? {
    let words = Array(arguments.dropFirst().prefix { $0 != "--" })
    // It gives names to photos that keep their place, too, of which nobody knows whether they are of that clock.
    guard undoes == nil, changed > 0, words.first == "geotag", !words.contains("--fix-dates"),
      !words.contains("--names"), let value = words.values(of: "--offset").last,
      let error = try? TimeShift(parsing: value), abs(error.timeInterval) >= ClockErrors.exactSeconds
    else { return nil }
    return error
  }
}
