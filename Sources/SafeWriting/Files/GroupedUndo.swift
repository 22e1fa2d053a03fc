import SystemPackage

/// Changes that a run made together, on their way back: each waits until the last of them is ready, as they go back
/// together or not at all.
struct GroupedUndo<Ready> {
  typealias Change = (entry: JournalEntry, result: Result<Ready, FileError>)

  /// Of each bond how many changes are still to come. One whose mates were taken back before goes alone.
  private var missing: [Int: Int]
  private var waiting: [Int: [Change]] = [:]
  private let isStrict: Bool

  /// - Parameters:
  ///   - entries: All that are to be taken back.
  ///   - isStrict: A file that is gone keeps its mates, too.
  init(_ entries: [JournalEntry], isStrict: Bool) {
    self.isStrict = isStrict
    let atomicGroups = entries.compactMap(Self.atomicGroup(of:)).map { ($0, 1) }
    missing = Dictionary(atomicGroups, uniquingKeysWith: +).filter { $0.value > 1 }
  }

  /// A file that an undo removed can't come again, and keeps nobody either.
  private static func atomicGroup(of entry: JournalEntry) -> Int? { entry.method == .removal ? nil : entry.atomicGroup }

  /// Whether `entry` goes back with others.
  func isShared(_ entry: JournalEntry) -> Bool { Self.atomicGroup(of: entry).map { missing[$0] != nil } ?? false }

  /// Returns the changes that are decided by this one: none while others are missing. Where one can't go back, the
  /// others stay, too; what was ready of them is handed to `withdraw`. A file that is gone keeps nobody, where it may be
  /// gone for good: it contradicts nothing.
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
      let reason = FileError(
        error.kind,
        "left as it is, because \(change.entry.path.lastComponent?.string ?? "") can't be taken back: \(error.sentence)"
      )
      return changes.map { entry, result in
        guard case .success(let ready) = result else { return (entry, result) }
        withdraw(ready)
        return (entry, .failure(reason))
      }
    }
    return changes
  }

  /// Those whose turn came before that of a mate that is not done.
  var left: [Change] { waiting.sorted { $0.key < $1.key }.flatMap(\.value) }
}
