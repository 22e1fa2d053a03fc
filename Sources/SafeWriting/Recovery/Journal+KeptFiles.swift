import GRDB
package import SystemPackage

/// Old files that are kept because other programs wrote to them.
extension Journal {
  /// Returns the photos that a run, or any that has ended, changed while another program wrote to them or had them open for writing, each with the
  /// path where that program's version is kept. The next recovery reports them too.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  package func keptFiles(of run: RunID? = nil) throws(FileError) -> [(path: FilePath, kept: FilePath)] {
    // While a run is at work, or if it was killed, its old files are there for other reasons.
    let runs = run == nil ? "SELECT id FROM run WHERE state <> 'running'" : "?"
    let condition = "state = 'committed' AND run IN (\(runs))"
    let arguments: StatementArguments = run.map { [$0.rawValue] } ?? []
    return try rows(condition, arguments, order: "run, sequence", in: run).entries.compactMap { entry in
      guard entry.method == .exchange || entry.method == .removal, let folder = try? Directory(entry.folderPath),
        let scratch = entry.scratch.flatMap({ FilePath(bytes: Array($0)).lastComponent })
      else { return nil }
      let names = [scratch, StagedFile.backup(of: scratch)].compactMap(\.self)
      let kept = names.first { (try? folder.status(of: $0)) ?? nil != nil }
      return kept.map { (entry.path, entry.folderPath.appending($0)) }
    }
  }
}
