public import SystemPackage

/// Photos that earlier runs changed.
extension Journal {
  /// Returns the files among `paths` that `run` changed and that still contain its change, as far as can be determined.
  /// This includes files that were moved on their volume or changed since. It excludes files that have their old bytes
  /// again, and other photos that have taken the path of a changed one.
  ///
  /// - Parameters:
  ///   - paths: Absolute paths with symbolic links resolved.
  ///   - run: The run.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func files(among paths: Set<FilePath>, changedBy run: RunID) throws(FileError) -> Set<FilePath> {
    try files(among: paths, changedBy: run) { file, path in (try? ImageSource(file, path: path))?.layout.imageData }
  }
}

/// The photos as they were before certain runs.
package struct EarlierPhotos: Sendable {
  private var changes: [FilePath: [JournaledChange]] = [:]

  /// Creates an empty set of changes.
  package init() {}

  /// Reads the changes of runs from the journal.
  /// - Parameter runs: The runs whose changes are undone in what is read.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package init(before runs: Set<RunID>, in journal: Journal) throws(FileError) {
    for run in runs.sorted(by: { $0 > $1 }) {
      try journal.require(run)
      try journal.undoable(in: run) { entry in
        guard entry.method == .exchange || entry.method == .inPlace,
          let change = try? JournaledChange(entry, in: journal)
        else { return }
        changes[entry.path, default: []].append(change)
      }
    }
  }

  /// Returns the metadata of the photo's own file before these runs; nil if they didn't change it, or if the change
  /// can't be undone.
  ///
  /// - Parameter path: An absolute path with symbolic links resolved.
  package func metadata(of path: FilePath) -> Metadata? {
    guard let changes = changes[path], let file = try? FileSource(path) else { return nil }
    var source: any ByteSource = file
    for change in changes {
      guard (try? change.isNew(source)) == true else { return nil }
      source = source.patched(by: change.inverse)
    }
    return (try? ImageSource(source, path: path))?.metadata()
  }
}
