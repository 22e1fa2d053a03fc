import Glibc
package import SystemPackage

/// A run that sets the modification times of files to when their photos were taken, according to the files and their
/// sidecars. The files' contents stay unchanged.
package struct TimeSync: Sendable {
  /// The result for one file.
  package struct Outcome: Sendable {
    /// The status of a file after the run.
    package enum Status: Sendable {
      /// The file has the time at which its photo was taken (in a dry run: would get it).
      case changed
      /// The file's time was within a second of that already.
      case unchanged
      /// The file was left unchanged; with the reason and a remedy.
      case skipped(Reason)
      /// The file could not be read or changed.
      case failed(FileError)
      /// The run ended before this file was started.
      case notRun
    }

    /// The path of the file.
    package let path: FilePath
    /// The status of the file.
    package internal(set) var status: Status
    /// The modification time before the run.
    package let before: Instant?
    /// The instant at which the photo was taken, and its source.
    package let reading: ClockReading?
    /// Files that belong to the photo but keep their times: sidecars, adjustments.
    package internal(set) var companions: [(path: FilePath, role: Photo.Role)] = []
  }

  /// The greatest difference, in seconds, between times that count as equal: file systems don't store the full
  /// precision.
  package static let tolerance = 1.0

  /// The time zone for photos that don't record one; without it, the zone of their position is used.
  package var clock = CameraClock()
  /// Whether the run ends at the first file that can't be read or changed.
  package var stopsAtFailure = false
  /// The number of photos that are read at once, at least 1.
  package var jobs = 2

  private let rewriter: Rewriter?
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Creates a run recorded under `run` in `journal`; without them, a dry run.
  ///
  /// - Parameter zone: Returns the time zone of a place.
  package init(_ run: RunID? = nil, in journal: Journal? = nil, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    rewriter = run.flatMap { run in journal.map { Rewriter(journal: $0, run: run) } }
    zoneOfPlace = zone
  }

  /// Sets the times. `report` receives one outcome per picture and movie of the photos, in their order, and only after
  /// the change is durable. A companion without an instant of its own gets that of its photo. When the task is
  /// cancelled or `stop` returns true, the rest is reported as not run.
  package func run(
    _ photos: [Photo], until stop: @escaping @Sendable () -> Bool = { false }, report: (Outcome) -> Void
  ) async {
    var group: [Work] = []
    let failure = Signal()
    var done = 0
    func announce(_ outcome: Outcome) {
      if stopsAtFailure, case .failed = outcome.status { failure.raise() }
      report(outcome)
    }
    _ = await orderedParallelMap(photos, width: max(1, jobs), until: { stop() || failure.isRaised }) { photo in
      works(on: photo).naming(companionsOf: photo)
    } consume: { works in
      guard !failure.isRaised else { return }
      done += 1
      group += works
      let isFailure = works.contains { if case .failed = $0.outcome.status { true } else { false } }
      if group.count >= Rewriter.groupCount || isFailure && stopsAtFailure { await commit(&group, announce) }
    }
    await commit(&group, announce)
    for photo in photos.dropFirst(done) {
      let paths = photo.writtenPaths
      let works = paths.map { Work(Outcome(path: $0, status: .notRun, before: nil, reading: nil)) }
      works.naming(companionsOf: photo).forEach { report($0.outcome) }
    }
  }

  fileprivate struct Work: Sendable {
    var outcome: Outcome
    var identity: FileIdentity?

    init(_ outcome: Outcome, _ identity: FileIdentity? = nil) {
      self.outcome = outcome
      self.identity = identity
    }

    init(_ path: FilePath, _ error: FileError) {
      self.init(Outcome(path: path, status: .failed(error), before: nil, reading: nil))
    }
  }

  private func commit(_ group: inout [Work], _ report: (Outcome) -> Void) async {
    defer { group = [] }
    let changes = group.compactMap { work -> TimeChange? in
      guard case .changed = work.outcome.status, let old = work.identity, let reading = work.outcome.reading else {
        return nil
      }
      return TimeChange(work.outcome.path, from: old, to: FileTime(reading.instant))
    }
    var results = await offloading { [rewriter] in rewriter?.setTimes(changes)[...] ?? [] }
    for work in group {
      var outcome = work.outcome
      if case .changed = outcome.status, case .failure(let error)? = results.popFirst() {
        outcome.status = .failed(error)
      }
      report(outcome)
    }
  }

  private func works(on photo: Photo) -> [Work] {
    if let failure = photo.input.failure { return [Work(photo.input.path, failure)] }
    var primary: ClockReading?
    return photo.writtenPaths.map { path in
      do throws(FileError) {
        if let objection = photo.objection { throw objection }
        let file = try FileWithSidecar(try OpenFile(path), of: photo)
        let old = FileIdentity(file.photo.file.status)
        let before = Instant(old.modified)
        do throws(Reason) {
          let reading = try self.reading(of: file.metadata, primary)
          primary = primary ?? reading
          let distance = abs(reading.instant.timeInterval(since: before))
          let status = distance > TimeSync.tolerance ? Outcome.Status.changed : .unchanged
          if rewriter == nil, case .changed = status {
            do throws(FileError) { _ = try DirectoryEntry.retiming(path) } catch { return Work(path, error) }
          }
          return Work(Outcome(path: path, status: status, before: before, reading: reading), old)
        } catch {
          return Work(Outcome(path: path, status: .skipped(error), before: before, reading: nil))
        }
      } catch {
        return Work(path, error)
      }
    }
  }

  private func reading(of metadata: Metadata, _ primary: ClockReading?) throws(Reason) -> ClockReading {
    var clock = clock
    if clock.zone == nil, !metadata.isDatedByHeaders {
      clock.zone = metadata.location.flatMap { zoneOfPlace($0.coordinate) }
    }
    do throws(Reason) {
      return try clock.reading(of: metadata)
    } catch {
      guard let primary else { throw error }
      return primary
    }
  }
}

extension [TimeSync.Work] {
  /// Returns the works; the first one, the photo's own, lists the files without an outcome of their own.
  fileprivate func naming(companionsOf photo: Photo) -> [TimeSync.Work] {
    var works = self
    works[0].outcome.companions = photo.companions.filter { !$0.role.isPhoto }.map { ($0.path, $0.role) }
    return works
  }
}

extension Photo {
  /// The files that a change applies to, the photo's own first.
  fileprivate var writtenPaths: [FilePath] { [input.path] + companions.filter(\.role.isPhoto).map(\.path) }
}

extension Walk.Input {
  /// The modification time of the file; nil if there is no file.
  public var modified: Instant? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    return Instant(FileTime(status.st_mtim))
  }
}
