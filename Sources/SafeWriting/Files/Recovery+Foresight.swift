import SystemPackage

extension Journal {
  /// What recovery would find done of the changes that runs were cut off in, by run; nothing is changed. Empty while a
  /// process is at work: its changes are still to be decided.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  package func unnoted() throws(FileError) -> [RunID: UnnotedChanges] {
    guard !isWritten else { return [:] }
    let recovery = Recovery(journal: self)
    var counts: [RunID: UnnotedChanges] = [:]
    for entry in try unsettled() where entry.state == .staged {
      // A photo that can't be reached, or a row that can't be read, is not known to be changed.
      guard (try? recovery.isDone(entry)) == true else { continue }
      switch entry.method {
      case .creation: counts[RunID(entry.run), default: .init()].created += 1
      case .exchange, .inPlace, .renaming, .times, .removal: counts[RunID(entry.run), default: .init()].changed += 1
      }
      guard let undoes = entry.undoes else { continue }
      counts[RunID(undoes.run), default: .init()].undone += 1
    }
    return counts
  }
}

extension Recovery {
  /// Whether a change that was begun will be found done.
  fileprivate func isDone(_ entry: JournalEntry) throws(FileError) -> Bool {
    switch entry.method {
    case .renaming: return try isRenamed(entry)
    case .times:
      guard let name = entry.path.lastComponent else { return false }
      let now = try Directory(entry.folderPath).identity(of: name)?.modified
      return now != nil && now != entry.old.modified
    case .exchange, .inPlace, .creation, .removal: return try isNew(entry) ? !mustGoBack(entry) : false
    }
  }
}
