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

  /// Settles what killed workers left, if there is any. The caller must not have the lock.
  func recover() throws { try journals?.recover(console) }

  /// Waits while another worker recovers journals. Until the lock is released, none does.
  func lock() throws -> WorkerLock? { try journals?.lock() }

  /// Ends the run.
  func end() throws {
    guard let begun else { return }
    try begun.journal.finishRun(begun.run, failed: failed)
    try WorkerJournals.close(begun.journal)
  }
}
