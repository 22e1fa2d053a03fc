import SystemPackage

/// Files being restored that share the cost of flushing: while one group is flushed to disk, the next is prepared.
struct UndoGroup {
  /// A change that is undone and durable, or the reason why it isn't.
  typealias Settled = (entry: JournalEntry, result: Result<Void, FileError>)
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

  /// Changes the files. Returns the results of the previous group; those of this group are returned later.
  mutating func change() -> [Settled] {
    guard !files.isEmpty else { return [] }
    let commit = rewriter.change(files.map(\.file))
    let last = settling
    last?.results.wait()
    let entries = files.map(\.entry)
    settling = (entries, Future { [rewriter] in rewriter.settle(commit) })
    (files, bytes, paths) = ([], 0, Set(entries.map(\.path)))
    return last.map(settled) ?? []
  }

  /// Changes the files and waits until all are durable. Returns the results that weren't returned before.
  mutating func finish() -> [Settled] {
    let results = change()
    guard let last = settling else { return results }
    (settling, paths) = (nil, [])
    return results + settled(last)
  }

  private func settled(_ last: Settling) -> [Settled] { zip(last.entries, last.results.value).map { ($0, $1) } }
}

/// Collects the changes of each atomic group during an undo: none is released until the last of them is ready, because
/// they are undone together or not at all.
struct GroupedUndo<Ready> {
  typealias Change = (entry: JournalEntry, result: Result<Ready, FileError>)

  /// The number of changes still to come in each atomic group. A change whose group was otherwise undone before is
  /// released alone.
  private var missing: [Int: Int]
  private var waiting: [Int: [Change]] = [:]
  private let isStrict: Bool

  /// Creates a collection for these changes.
  /// - Parameters:
  ///   - steps: All changes that are to be undone.
  ///   - isStrict: Whether a missing file also blocks the rest of its group.
  init(_ steps: some Sequence<UndoStep>, isStrict: Bool) {
    self.isStrict = isStrict
    var counts: [Int: Int] = [:]
    for step in steps where step.method != .removal {
      if let atomicGroup = step.atomicGroup { counts[atomicGroup, default: 0] += 1 }
    }
    missing = counts.filter { $0.value > 1 }
  }

  /// Returns the atomic group of a change. A file an undo deleted can't be restored, so it doesn't block the rest of
  /// its group.
  private static func atomicGroup(of entry: JournalEntry) -> Int? { entry.method == .removal ? nil : entry.atomicGroup }

  /// Whether `entry` is undone together with others.
  func isShared(_ entry: JournalEntry) -> Bool { Self.atomicGroup(of: entry).map { missing[$0] != nil } ?? false }

  /// Returns the changes that this one completes: none while others of its group are missing. If one can't be undone,
  /// none of the group is; those that were ready are passed to `withdraw`. Unless `isStrict` is set, a missing file
  /// doesn't block the others: it may be gone for good, and contradicts nothing.
  mutating func add(
    _ entry: JournalEntry, _ result: Result<Ready, FileError>, withdraw: (Ready) -> Void = { _ in }
  ) -> [Change] {
    guard let atomicGroup = Self.atomicGroup(of: entry), let count = missing[atomicGroup] else {
      return [(entry, result)]
    }
    waiting[atomicGroup, default: []].append((entry, result))
    missing[atomicGroup] = count - 1
    guard count == 1 else { return [] }
    let changes = waiting.removeValue(forKey: atomicGroup) ?? []
    for change in changes {
      guard case .failure(let error) = change.result, isStrict || error != .isGone else { continue }
      let reason = change.entry.reason(for: error)
      return changes.map { entry, result in
        guard case .success(let ready) = result else { return (entry, result) }
        withdraw(ready)
        return (entry, .failure(reason))
      }
    }
    return changes
  }

  /// The changes of groups that are incomplete when the undo ends.
  var left: [Change] { waiting.sorted { $0.key < $1.key }.flatMap(\.value) }
}
