import SystemPackage

extension Journal {
  /// Returns the changes of interrupted runs that recovery would find done, by run, without changing anything. Empty
  /// while a process is at work, because its changes are still undecided.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  package func unnoted() throws(FileError) -> [RunID: UnnotedChanges] {
    guard !isWritten else { return [:] }
    let recovery = Recovery(journal: self)
    var counts: [RunID: UnnotedChanges] = [:]
    for entry in try unsettled() where entry.state == .staged {
      // If a photo can't be reached or a row can't be read, the photo doesn't count as changed.
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
  /// Whether recovery will find a change that was begun completed.
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
