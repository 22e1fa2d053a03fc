package import SystemPackage

/// Gives files the time of last change at which their photos were taken, as they and their sidecars record it. No byte
/// of them changes.
package struct TimeSync: Sendable {
  /// What became of one file.
  package struct Outcome: Sendable {
    /// How it ended.
    package enum Status: Sendable {
      /// It has (in a dry run: would have) the time at which its photo was taken.
      case changed
      /// Its time is no more than a second away from that.
      case unchanged
      /// It is left alone. Why, and what helps.
      case skipped(Reason)
      /// It could not be read or changed.
      case failed(FileError)
      /// The run was interrupted before it was begun.
      case notRun
    }

    /// The file.
    package let path: FilePath
    /// How it ended.
    package internal(set) var status: Status
    /// Its time of last change before.
    package let before: Instant?
    /// The instant at which its photo was taken, and from where that is known.
    package let reading: ClockReading?
    /// Files that belong to it and have no outcome of their own, as their times stay: sidecars, adjustments.
    package internal(set) var companions: [(path: FilePath, role: Photo.Role)] = []
  }

  /// A file's time this far from its photo's, or less, is its photo's: file systems don't keep all of it.
  package static let tolerance = 1.0

  /// The zone of photos that don't record theirs; without it, that of their place.
  package var clock = CameraClock()
  /// No time is changed after the first file that can't be read or changed.
  package var stopsAtFailure = false
  /// How many photos are read at once, at least 1.
  package var jobs = 2

  private let rewriter: Rewriter?
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Under `run` of `journal`; without them, a dry run.
  ///
  /// - Parameter zone: Which zone's time is kept at a place.
  package init(_ run: RunID? = nil, in journal: Journal? = nil, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    rewriter = run.flatMap { run in journal.map { Rewriter(journal: $0, run: run) } }
    zoneOfPlace = zone
  }

  /// Tells what became of every picture and movie of the photos, in their order; only once it is durable. A companion
  /// without an instant of its own has that of its photo. When the task is cancelled or `stop` says so, the rest is
  /// told as not run.
  package func run(
    _ photos: [Photo], until stop: @escaping @Sendable () -> Bool = { false }, report: (Outcome) -> Void
  ) async {
    var group: [Work] = []
    let failure = Flag()
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
    var lead: ClockReading?
    return photo.writtenPaths.map { path in
      do throws(FileError) {
        if let objection = photo.objection { throw objection }
        let file = try FileWithSidecar(try OpenFile(path), of: photo)
        let old = FileIdentity(file.photo.file.status)
        let before = Instant(old.modified)
        do throws(Reason) {
          let reading = try self.reading(of: file.metadata, lead)
          lead = lead ?? reading
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

  private func reading(of metadata: Metadata, _ lead: ClockReading?) throws(Reason) -> ClockReading {
    var clock = clock
    if clock.zone == nil, !metadata.isDatedByHeaders {
      clock.zone = metadata.location.flatMap { zoneOfPlace($0.coordinate) }
    }
    do throws(Reason) {
      return try clock.reading(of: metadata)
    } catch {
      guard let lead else { throw error }
      return lead
    }
  }
}

extension [TimeSync.Work] {
  /// The first, the photo's own, names those of its files that have none.
  fileprivate func naming(companionsOf photo: Photo) -> [TimeSync.Work] {
    var works = self
    works[0].outcome.companions = photo.companions.filter { !$0.role.isPhoto }.map { ($0.path, $0.role) }
    return works
  }
}

extension Photo {
  /// The files that a change is for, the photo's own first.
  fileprivate var writtenPaths: [FilePath] { [input.path] + companions.filter(\.role.isPhoto).map(\.path) }
}

extension Walk.Input {
  /// When the file was last changed; nil when it can't be asked.
  public var modified: Instant? {
    (try? FileSource(path)).map { Instant(FileIdentity($0.status).modified) }
  }
}
