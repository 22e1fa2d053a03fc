public import SystemPackage

extension Journal {
  /// The files among `paths` that `run` changed and that still have that change, as far as can be told: also those that
  /// were moved on their volume, or changed since. Files that have their old bytes again are not among them, nor other
  /// photos that came to the path of one.
  ///
  /// - Parameter paths: Absolute, symbolic links resolved.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func files(among paths: Set<FilePath>, changedBy run: RunID) throws(FileError) -> Set<FilePath> {
    try files(among: paths, changedBy: run) { file, path in (try? ImageSource(file, path: path))?.layout.imageData }
  }
}

/// Photos as they were before runs changed them.
package struct EarlierPhotos: Sendable {
  private var changes: [FilePath: [JournaledChange]] = [:]

  /// None.
  package init() {}

  /// - Parameter runs: The runs whose changes are left out of what is read.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package init(before runs: Set<RunID>, in journal: Journal) throws(FileError) {
    for run in runs.sorted(by: { $0 > $1 }) {
      try journal.require(run)
      for entry in try journal.undoable(in: run) where entry.method == .exchange || entry.method == .inPlace {
        guard let change = try? JournaledChange(entry, in: journal) else { continue }
        changes[entry.path, default: []].append(change)
      }
    }
  }

  /// Returns the metadata of the photo's own file before these runs; nil where they didn't change it, or where the change
  /// can't be taken out.
  ///
  /// - Parameter path: Absolute, symbolic links resolved.
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
