import Foundation
import Glibc
package import SystemPackage

/// Moves of files to the trash and back, in the journal and with undo.
extension Rewriter {
  /// A move of a file to the trash, or back.
  package struct TrashMove {
    /// The file's path outside the trash: absolute, symbolic links resolved.
    let original: FilePath
    /// The file's path in the trash.
    let trashed: FilePath
    /// Whether the file moves out of the trash.
    let isBack: Bool
    /// The file as it must be; nil if any file of this name is moved.
    var expected: FileIdentity?
    /// The journal row that this move takes back.
    var undone: JournalEntry.Key?

    /// The paths before and after the move.
    var paths: (from: FilePath, to: FilePath) { isBack ? (trashed, original) : (original, trashed) }
  }

  /// Moves files that belong together to the trash of their file system, all or none. Durable when this returns.
  /// - Parameter home: The user's trash.
  /// - Throws: `.changedDuringRun` or `.openForWriting` if another program changed a file since it was read, or may
  ///   still change it. Nothing is moved then.
  package func trash(_ files: [TrashedFile], home: FilePath) throws(FileError) {
    var moves: [TrashMove] = []
    for file in files {
      let (place, trash) = try DirectoryEntry.trashing(file.path, home: home)
      try trash.make()
      let (original, trashed) = (place.folder.path.appending(place.name), try trash.freePath(for: place.name))
      moves.append(TrashMove(original: original, trashed: trashed, isBack: false, expected: file.identity))
    }
    try move(moves)
  }

  /// Makes moves that belong together, all or none. Durable when this returns.
  package func move(_ moves: [TrashMove]) throws(FileError) {
    guard !moves.isEmpty else { return }
    // Old files must be removed first: recovery looks for them next to their photos.
    finish()
    let atomicGroup = moves.count > 1 ? self.atomicGroup() : nil
    let entries = try moves.map { move throws(FileError) in try entry(for: move, atomicGroup: atomicGroup) }
    try changeNames(entries, moves[0].isBack ? "is out of the trash" : "is in the trash") { index throws(FileError) in
      try moves[index].make()
    } takeBack: { index throws(FileError) in
      try moves[index].reversed.make()
    } synchronize: { _ throws(FileError) in
      for move in moves { try move.synchronize() }
    }
  }

  private func entry(for move: TrashMove, atomicGroup: Int?) throws(FileError) -> JournalEntry {
    try move.requirePossible()
    guard let name = move.original.lastComponent, let source = move.paths.from.lastComponent,
      let identity = try Directory(move.paths.from.removingLastComponent()).identity(of: source)
    else { throw FileError.isGone }
    return JournalEntry(
      run: run.rawValue, sequence: nextSequence(), folder: Data(move.original.removingLastComponent().bytes),
      name: Data(name.bytes), scratch: Data(move.trashed.bytes), method: move.isBack ? .untrashing : .trashing,
      old: identity, new: identity, digest: Data(), undoesRun: move.undone?.run,
      undoesSequence: move.undone?.sequence, atomicGroup: atomicGroup)
  }
}

/// A file that is to be moved to the trash because there is a copy of it.
package struct TrashedFile: Sendable {
  package let path: FilePath
  /// The file as it was copied.
  fileprivate let identity: FileIdentity

  package init(_ path: FilePath, _ file: FileSource) { (self.path, identity) = (path, FileIdentity(file.status)) }
}

extension Rewriter.TrashMove {
  /// The move that takes this one back.
  var reversed: Self { Self(original: original, trashed: trashed, isBack: !isBack) }

  /// Waits until both names are on disk.
  func synchronize() throws(FileError) { try Directory(trashed.removingLastComponent()).synchronizeVolume() }

  /// Throws if the file isn't where it should be, or if another file has its place.
  func requirePossible() throws(FileError) {
    let (from, to) = paths
    guard from.status(followingLinks: false) != nil else { throw FileError.isGone }
    guard to.status(followingLinks: false) == nil else {
      throw FileError(.nameTaken, "can't be moved back: another file has its name", remedy: .moveAway(nil))
    }
    try Directory(from.removingLastComponent()).requireWritable()
    try Directory(to.removingLastComponent()).requireWritable()
  }

  /// Moves the file. Its description is there before it is in the trash, and until it is out of it.
  func make() throws(FileError) {
    let (from, to) = paths
    guard let name = from.lastComponent, let newName = to.lastComponent else { throw FileError.isGone }
    if !isBack { try Trash.describe(original, as: trashed) }
    do throws(FileError) {
      let source = DirectoryEntry(try Directory(from.removingLastComponent()), name)
      let target = DirectoryEntry(try Directory(to.removingLastComponent()), newName)
      try requireExpected(source)
      try source.folder.move(name, to: newName, in: target.folder)
      // A program may have changed it in that instant, or opened it, and would go on in the trash.
      do throws(FileError) { try requireExpected(target) } catch {
        do throws(FileError) { try target.folder.move(newName, to: name, in: source.folder) } catch let obstacle {
          throw .notDurable("is in the trash", error, obstacle)
        }
        throw error
      }
    } catch {
      if !isBack { removeDescription() }
      throw error
    }
    if isBack { removeDescription() }
  }

  /// Throws unless the file is as it must be, and no program has it open for writing.
  private func requireExpected(_ place: DirectoryEntry) throws(FileError) {
    guard let expected else { return }
    let file = try place.folder.open(place.name, O_RDONLY)
    // Some file systems change the number of an inode.
    guard try FileIdentity(of: file).hasSizeAndTime(of: expected) else { throw FileError.changedMeanwhile }
    try place.refuseIfOpenForWriting(file)
  }

  func removeDescription() { Trash.description(of: trashed).unlink() }
}

extension DirectoryEntry {
  /// Returns the location of the file at `path`, and its trash, if it can be moved there.
  package static func trashing(
    _ path: FilePath, home: FilePath
  ) throws(FileError) -> (place: DirectoryEntry, trash: Trash) {
    guard let status = path.status(followingLinks: false) else { throw FileError(errno: errno, doing: "find it") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.symbolicLink, "is a symbolic link, which is not moved to the trash", remedy: .keepOriginal)
    }
    let place = try DirectoryEntry(resolving: path)
    let trash = try Trash(for: place, home: home)
    try place.refuseIfMarked()
    try place.folder.requireWritable()
    return (place, trash)
  }
}

extension JournalEntry {
  /// The file's path in the trash, if it moves there or back.
  var trashed: FilePath? {
    guard method == .trashing || method == .untrashing, let scratch else { return nil }
    return FilePath(bytes: Array(scratch))
  }

  /// The move that takes this one back.
  func reversed(_ trashed: FilePath) -> Rewriter.TrashMove {
    Rewriter.TrashMove(original: path, trashed: trashed, isBack: method == .trashing, undone: key)
  }

  /// Returns the move out of the trash that undoes this change. Nothing is moved to the trash a second time: the copy
  /// for which that was done is gone.
  func untrashing(_ trashed: FilePath) throws(FileError) -> Rewriter.TrashMove {
    guard method == .trashing else {
      throw FileError(.notRestorable, "stays, because its copy was removed by the undo", remedy: .createAgain)
    }
    guard try isMoved(to: trashed) else {
      let own = path.lastComponent.flatMap { try? Directory(folderPath).identity(of: $0) }
      if own?.hasSizeAndTime(of: old) == true {
        throw FileError(.alreadyExists, "is back from the trash already")
      }
      throw trashed.status(followingLinks: false) != nil
        ? FileError(
          .modifiedAfterRun, "stays, because the file in the trash isn't as the run left it: \(trashed)",
          remedy: .moveBackByHand)
        : FileError(.notAtOriginalPath, "is no longer in the trash at \(trashed)")
    }
    return reversed(trashed)
  }

  /// Whether the file has moved as this change intends.
  func isMoved(to trashed: FilePath) throws(FileError) -> Bool {
    let place = method == .trashing ? trashed : path
    guard let name = place.lastComponent, let folder = try? Directory(place.removingLastComponent()) else {
      return false
    }
    // The device may have another number after a restart, and the file another inode on some file systems.
    return try folder.identity(of: name)?.hasSizeAndTime(of: old) == true
  }
}
