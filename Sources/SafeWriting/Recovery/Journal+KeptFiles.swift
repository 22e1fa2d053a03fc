import GRDB
package import SystemPackage

/// Old files that are kept because other programs wrote to them.
extension Journal {
  /// Returns the photos that a run changed while another program wrote to them or had them open for writing, each with the
  /// path where that program's version is kept. The next recovery reports them too.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  package func keptFiles(of run: RunID) throws(FileError) -> [(path: FilePath, kept: FilePath)] {
    try rows("run = ? AND state = 'committed'", [run.rawValue], order: "sequence", in: run).entries.compactMap {
      entry in
      guard entry.method == .exchange || entry.method == .removal, let folder = try? Directory(entry.folderPath),
        let scratch = entry.scratch.flatMap({ FilePath(bytes: Array($0)).lastComponent })
      else { return nil }
      let names = [scratch, StagedFile.backup(of: scratch)].compactMap(\.self)
      let kept = names.first { (try? folder.status(of: $0)) ?? nil != nil }
      return kept.map { (entry.path, entry.folderPath.appending($0)) }
    }
  }
}
