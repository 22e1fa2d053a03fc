import MetaTag
import SystemPackage

/// Photos that are as earlier runs left them, if those runs placed them by time and kept their dates.
struct PlacedPhotos: Sendable {
  /// The clocks by the paths of photos and sidecars.
  private(set) var clocks: [FilePath: DateFacts.KnownClock] = [:]

  init() {}

  /// Reads the journal, if there is one.
  init(among photos: [Photo]) throws {
    guard let journal = try Journal.ifAny() else { return }
    // Newest first.
    let runs = try journal.runs(limit: .max).filter(\.placesByTime)
    guard !runs.isEmpty else { return }
    let named = photos.flatMap { [$0.input.path] + $0.companions.filter { $0.role == .sidecar }.map(\.path) }
    let paths = named.map { ($0, $0.resolved) }
    let files = Set(paths.compactMap(\.1))
    for run in runs {
      let left = try journal.files(among: files, leftBy: run.id)
      for (path, file) in paths where file.map(left.contains) ?? false {
        clocks[path] = clocks[path] ?? run.clock
      }
    }
  }

  /// Returns the clock correction and zone of the run that left the photo as it is.
  func clock(of photo: Photo) -> DateFacts.KnownClock? { clocks[photo.input.path] }
}

extension RunSummary {
  private var options: [String] { Array(arguments.dropFirst().prefix { $0 != "--" }) }

  /// Whether it gave every photo that it changed a location and a GPS time by its capture time, and kept the dates.
  fileprivate var placesByTime: Bool {
    let (words, sources) = (options, ["--track", "--track-of", "--from-photos"])
    // With --names, it also adds names to photos that keep their location.
    return undoes == nil && standing > 0 && words.first == "geotag"
      && sources.contains { !words.values(of: $0).isEmpty }
      && !["--fix-dates", "--names", "--keep-companions"].contains { words.contains($0) }
  }

  /// The correction and zone that its command line gave for all photos.
  fileprivate var clock: DateFacts.KnownClock {
    var clock = DateFacts.KnownClock(id, error: recordedClock)
    clock.zone = options.values(of: "--camera-zone").last.flatMap { try? Zone(parsing: $0) }
    clock.isGiven = ["--offset", "--sync"].contains { !options.values(of: $0).isEmpty }
    return clock
  }

  private var recordedClock: TimeShift? {
    guard let value = options.values(of: "--offset").last, let error = try? TimeShift(parsing: value),
      abs(error.timeInterval) >= ClockErrors.exactSeconds
    else { return nil }
    return error
  }
}
