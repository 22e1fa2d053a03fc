import Foundation
import Glibc
import SystemPackage

extension Rewriter {
  /// Gives the file at `path` another name in its folder, never that of another file; durable when this returns.
  ///
  /// - Parameter undone: The journal's row this takes back.
  func rename(
    _ path: FilePath, to name: FilePath.Component, undoing undone: JournalEntry.Key? = nil
  ) throws(PhotoError) {
    // Recovery looks for an old file beside its photo, whose name it knows from before.
    finish()
    let place = try Place.renaming(path, to: name)
    guard let status = try place.folder.status(of: place.name) else { throw PhotoError.changedMeanwhile }
    let identity = FileIdentity(status)
    var entry = JournalEntry(
      run: run.rawValue, sequence: nextSequence(), folder: Data(place.folder.path.bytes), name: Data(place.name.bytes),
      scratch: Data(name.bytes), method: .renaming, old: identity, new: identity, digest: Data(),
      undoesRun: undone?.run, undoesSequence: undone?.sequence)
    try journal.record([(entry, try Patch([], to: identity.size, imageData: []), nil)])
    do throws(PhotoError) {
      try place.folder.move(place.name, to: name)
    } catch {
      (entry.state, entry.reason) = (.failed, error.description)
      try journal.update([entry])
      throw error
    }
    // Where this fails, the row stays as it is, for recovery.
    try place.folder.synchronizeVolume()
    entry.new = try place.folder.identity(of: name) ?? identity
    for state in [JournalOperation.State.committed, .cleaned] {
      entry.state = state
      try journal.update([entry])
    }
  }
}

extension Place {
  /// Where the file at `path` is, if it can be called `name`.
  static func renaming(_ path: FilePath, to name: FilePath.Component) throws(PhotoError) -> Place {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw PhotoError(errno: errno, doing: "find it") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PhotoError(.refused, "is a symbolic link, whose name is its owner's business; rename it by hand")
    }
    let place = try Place(resolving: path)
    guard try place.folder.status(of: name) == nil else {
      throw PhotoError(.refused, "can't be named \(name): there is such a file already; move that one away first")
    }
    try place.folder.demandWritable()
    return place
  }
}

extension JournalEntry {
  /// Of a renaming, the path it leads to; else nil.
  var target: FilePath? {
    guard method == .renaming, let name = scratch else { return nil }
    return FilePath(bytes: Array(folder) + [0x2F] + Array(name))
  }
}

extension Recovery {
  /// Which of two names the file has.
  mutating func settleRenaming(_ entry: JournalEntry, at place: Place) throws(PhotoError) {
    if entry.state == .committed { return try conclude(entry, .cleaned, at: place) }
    guard let target = entry.target?.lastComponent else {
      throw PhotoError(.malformed, "the journal is damaged: a file has no new name")
    }
    if try place.folder.identity(of: target)?.isSameContent(as: entry.old) == true {
      try place.folder.synchronizeVolume()
      let renamed = Place(place.folder, target)
      try conclude(entry, .committed, at: renamed)
      try conclude(entry, .cleaned, at: renamed)
    } else if try place.folder.identity(of: place.name)?.isSameContent(as: entry.old) == true {
      try conclude(entry, .failed, "the run was cut off before this file's turn")
    } else {
      try conclude(entry, .conflict, "was moved or changed while it was being renamed, and is left so")
    }
  }
}
