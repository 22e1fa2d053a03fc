import MetaTag

/// The run of a worker. It begins with the first row, so that a worker without rows makes no journal.
struct WorkerRun {
  private let journals: WorkerJournals?
  private let console: Console
  private var begun: (run: RunID, journal: Journal)?
  /// The number of rows that failed.
  var failed = 0

  /// Prepares a run.
  /// - Parameter journals: The folder for the journal; nil for the user's journal.
  init(in journals: WorkerJournals?, _ console: Console) { (self.journals, self.console) = (journals, console) }

  /// Returns the run and its journal.
  /// - Parameter begin: Begins the run in its journal.
  mutating func get(_ begin: (Journal) throws -> RunID) throws -> (run: RunID, journal: Journal) {
    if let begun { return begun }
    let journal = try journal()
    let new = (run: try begin(journal), journal: journal)
    begun = new
    return new
  }

  private func journal() throws -> Journal {
    guard let journals else { return try Journal.opened(console: console) }
    try journals.recover(console)
    let lock = try journals.lock()
    defer { lock.release() }
    return try journals.create()
  }

  /// How long to wait before each new attempt to change a photo that something else was changing.
  static let pauses: [Duration] = [.zero, .milliseconds(100), .milliseconds(400)]

  /// Waits before a new attempt. Another worker may have been faster, or may have been killed: it is recovered first, and
  /// until the lock is released, no other one changes photos. Otherwise one that is killed now could leave a change unsettled
  /// whose photo gets another name.
  func pause(for duration: Duration, releasing lock: inout WorkerLock?) async throws {
    lock?.release()
    lock = nil
    try await Task.sleep(for: duration)
    lock = try journals?.recoverAlone(console)
  }

  /// Waits while another worker recovers journals. Until the lock is released, none does.
  func lock() throws -> WorkerLock? { try journals?.lock() }

  /// Ends the run.
  func end() throws {
    guard let begun else { return }
    try begun.journal.finishRun(begun.run, failed: failed)
    try WorkerJournals.close(begun.journal)
  }
}
