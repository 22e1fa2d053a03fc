import GRDB
package import SystemPackage

/// A change of a run, as far as its place in an undo depends on it. A run may have very many.
struct UndoStep: Sendable {
  let key: JournalEntry.Key
  let path: FilePath
  /// The new path, if the change is a renaming.
  let target: FilePath?
  /// The original, if the change is a copy.
  let origin: FilePath?
  let method: JournalEntry.Method
  let atomicGroup: Int?
  /// The size in bytes of the file before the change.
  let count: Int
  /// Hash values of the states of the file before and after the change. Renaming doesn't alter them.
  private let before: Int
  private let after: Int

  init(_ entry: JournalEntry) {
    (key, path, target, origin) = (entry.key, entry.path, entry.target, entry.origin?.path)
    (method, atomicGroup, count) = (entry.method, entry.atomicGroup, entry.old.size)
    (before, after) = (entry.old.stateHash, entry.new.stateHash)
  }

  /// Whether this change was made to the file as `other` left it.
  fileprivate func follows(_ other: UndoStep) -> Bool {
    path == other.target ?? other.path && before == other.after && key != other.key
  }

  /// Whether the bytes of the file change, or the file was created.
  var isOfBytes: Bool {
    switch method {
    case .exchange, .inPlace, .creation, .copy, .removal: true
    case .renaming, .times, .trashing, .untrashing: false
    }
  }
}

/// The changes of a run in the order of their undo.
struct UndoOrder {
  /// The changes of each photo, including all files that were changed together with it, newest first.
  private(set) var photos: [ArraySlice<UndoStep>] = []
  /// The changes that can't be read.
  private(set) var damaged: [DamagedRow]

  /// Sorts the changes of `run` that can be undone by the path of their photo, so that the order of the report doesn't
  /// depend on which photo was staged first.
  init(of run: RunID, in journal: Journal, _ selection: UndoSelection) throws(FileError) {
    // The state is not part of the condition: a row whose state is damaged must not be missing.
    let rows = try journal.rows("run = ?", [run.rawValue], order: "sequence DESC", in: run) { entry in
      entry.isUndoable ? UndoStep(entry) : nil
    }
    damaged = rows.damaged
    let leaders = UndoOrder.leaders(of: rows.entries)
    let order = leaders.indices.sorted { a, b in
      if leaders[a] != leaders[b] { return leaders[a] < leaders[b] }
      return rows.entries[a].key.sequence > rows.entries[b].key.sequence
    }
    let steps = order.map { rows.entries[$0] }
    var start = 0
    for end in 1..<max(1, steps.count + 1) {
      guard end == steps.count || leaders[order[end]] != leaders[order[start]] else { continue }
      let photo = steps[start..<end]
      start = end
      if photo.contains(where: selection.contains) { photos.append(UndoOrder.sorted(photo)) }
    }
  }

  /// Sorts the changes of a photo. Workers may have made them, and the one that renamed it may have been taken over
  /// before the one that changed it, so numbers don't tell which came first.
  private static func sorted(_ photo: ArraySlice<UndoStep>) -> ArraySlice<UndoStep> {
    guard photo.contains(where: { $0.target != nil }) else { return photo }
    var (left, sorted) = (Array(photo), [UndoStep]())
    while !left.isEmpty {
      let last = left.firstIndex { step in !left.contains { $0.follows(step) } }
      sorted.append(left.remove(at: last ?? 0))
    }
    return sorted[...]
  }

  /// Adds changes that could be read at first, and can't be any more.
  mutating func add(_ rows: [DamagedRow]) { damaged += rows }

  /// The changes in their order.
  var steps: some Sequence<UndoStep> { photos.lazy.joined() }

  /// Returns the path of the photo of each change.
  private static func leaders(of steps: [UndoStep]) -> [String] {
    var oldNames: [FilePath: FilePath] = [:]
    for step in steps {
      guard let target = step.target else { continue }
      let first = step.path.description < target.description ? step.path : target
      (oldNames[step.path], oldNames[target]) = (first, first)
    }
    let files = steps.map { (oldNames[$0.path] ?? $0.path).description }
    // A file may share an atomic group with some files by its bytes and with others by its name: all of them form one
    // photo, led by the first.
    var parents: [String: String] = [:]
    func root(_ file: String) -> String {
      var root = file
      while let next = parents[root] { root = next }
      return root
    }
    func join(_ one: String, _ other: String) {
      if one != other { parents[max(one, other)] = min(one, other) }
    }
    // A copy is removed only after its original is back from the trash.
    for (step, file) in zip(steps, files) {
      if let origin = step.origin { join(root(file), root(origin.description)) }
    }
    var groups: [Int: String] = [:]
    for (step, file) in zip(steps, files) {
      guard let atomicGroup = step.atomicGroup else { continue }
      let one = root(file)
      let other = root(groups[atomicGroup] ?? one)
      groups[atomicGroup] = one
      join(one, other)
    }
    return files.map(root)
  }
}

extension FileIdentity {
  /// A hash value of the content, as far as it is known. The number of a volume isn't the same on every machine.
  fileprivate var stateHash: Int {
    var hasher = Hasher()
    hasher.combine(inode)
    hasher.combine(size)
    hasher.combine(modified)
    return hasher.finalize()
  }
}

extension UndoSelection {
  /// Whether a change is selected. Files that were changed together with its file are then restored too.
  fileprivate func contains(_ step: UndoStep) -> Bool { contains([step.path, step.target].compactMap(\.self)) }
}

extension Journal {
  /// Returns the changes of `steps` as far as they can be read.
  func rows(of steps: some Sequence<UndoStep>) throws(FileError) -> JournalRows<JournalEntry> {
    try rows(with: steps.map(\.key))
  }

  /// Returns the changes of `run` that an undo of this selection would take back, in its order.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func operations(
    toUndo run: RunID, _ selection: UndoSelection = UndoSelection()
  ) throws(FileError) -> [JournalOperation] {
    try require(run)
    return try rows(of: UndoOrder(of: run, in: self, selection).steps).entries.map(\.operation)
  }

  /// Returns the paths of the files that an undo of this selection would restore, one for each change, in its order.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package func paths(toUndo run: RunID, _ selection: UndoSelection) throws(FileError) -> [FilePath] {
    try require(run)
    let order = try UndoOrder(of: run, in: self, selection)
    // Changes whose rows can't be read are reported.
    let damaged = order.damaged.filter { $0.path.map(selection.contains) ?? true }
    return order.steps.map(\.path) + damaged.map { $0.path ?? folder }
  }

  /// Reports changes that can't be undone, because their rows can't be read. A change of an unknown file may be any.
  func announce(
    _ damaged: [DamagedRow], _ selection: UndoSelection, _ announce: (JournalOperation, Undo.Outcome) -> Void
  ) {
    for row in damaged where row.path.map(selection.contains) ?? true {
      announce(row.operation(in: folder), .notRestored(row.error))
    }
  }
}
