import SystemPackage

/// Files being restored that share the cost of flushing: while one group is flushed to disk, the next is prepared.
struct UndoGroup {
  private typealias Settling = (entries: [JournalEntry], results: Future<[Result<Void, FileError>]>)

  let rewriter: Rewriter
  private var files: [(entry: JournalEntry, file: StagedFile)] = []
  private var bytes = 0
  /// The previous group, whose files are already changed.
  private var settling: Settling?
  /// The paths of the files in both groups.
  private var paths: Set<FilePath> = []

  init(rewriter: Rewriter) { self.rewriter = rewriter }

  var isFull: Bool { files.count >= Rewriter.groupCount || bytes >= Rewriter.groupBytes }

  /// Whether the file at `path` is in this group, or isn't durable yet.
  func holds(_ path: FilePath) -> Bool { paths.contains(path) }

  mutating func add(_ entry: JournalEntry, _ file: StagedFile) {
    files.append((entry, file))
    bytes += file.writtenCount
    paths.insert(entry.path)
  }

  /// Changes the files. Reports the results of the previous group now; those of this group are reported later.
  mutating func change(_ announce: (JournalEntry, Result<Void, FileError>) -> Void) {
    guard !files.isEmpty else { return }
    let commit = rewriter.change(files.map(\.file))
    let last = settling
    last?.results.wait()
    let entries = files.map(\.entry)
    settling = (entries, Future { [rewriter] in rewriter.settle(commit) })
    (files, bytes, paths) = ([], 0, Set(entries.map(\.path)))
    if let last { zip(last.entries, last.results.value).forEach(announce) }
  }

  /// Changes the files and waits until all are durable.
  mutating func finish(_ announce: (JournalEntry, Result<Void, FileError>) -> Void) {
    change(announce)
    guard let last = settling else { return }
    (settling, paths) = (nil, [])
    zip(last.entries, last.results.value).forEach(announce)
  }
}
