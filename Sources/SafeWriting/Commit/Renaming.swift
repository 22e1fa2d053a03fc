import Foundation
import Glibc
package import SystemPackage

/// Renaming of files, in the journal and with undo.
extension Rewriter {
  /// A new name for a file, in the same folder.
  package struct Renaming {
    package let path: FilePath
    package let name: FilePath.Component
    /// The journal row that this renaming takes back.
    package var undone: JournalEntry.Key?

    package init(path: FilePath, name: FilePath.Component, undone: JournalEntry.Key? = nil) {
      self.path = path
      self.name = name
      self.undone = undone
    }
  }

  /// Renames files that belong together, all or none, and never to names that other files have. Durable when this
  /// returns.
  package func rename(_ renamings: [Renaming]) throws(FileError) {
    guard !renamings.isEmpty else { return }
    // Old files must be removed first: recovery looks for an old file under a name derived from the photo's old name.
    finish()
    let atomicGroup = renamings.count > 1 ? self.atomicGroup() : nil
    let rows = try renamings.map { renaming throws(FileError) in
      try renaming.naming(isOneOfMany: atomicGroup != nil) { () throws(FileError) in
        try NamedRow(renaming, run, nextSequence(), atomicGroup: atomicGroup)
      }
    }
    try changeNames(rows.map(\.entry), "has its new name") { index throws(FileError) in
      try renamings[index].naming(isOneOfMany: atomicGroup != nil) { () throws(FileError) in
        try rows[index].folder.move(rows[index].name, to: rows[index].newName)
      }
    } takeBack: { index throws(FileError) in
      try rows[index].folder.move(rows[index].newName, to: rows[index].name)
    } synchronize: { entries throws(FileError) in
      var brought: Set<UInt64> = []
      for row in rows where brought.insert(row.entry.old.device).inserted { try row.folder.synchronizeVolume() }
      for (index, row) in rows.enumerated() {
        entries[index].new = try row.folder.identity(of: row.newName) ?? row.entry.old
      }
    }
  }
}

extension Rewriter.Renaming {
  /// Adds the file's name to an error if it is one of several files.
  fileprivate func naming<R>(isOneOfMany: Bool, _ body: () throws(FileError) -> R) throws(FileError) -> R {
    do throws(FileError) { return try body() } catch {
      throw isOneOfMany
        ? error.reworded("\(path.lastComponent?.string ?? "a companion") \(error.description)") : error
    }
  }
}

/// A renaming and its row in the journal.
private struct NamedRow {
  let folder: Directory
  let name: FilePath.Component
  let newName: FilePath.Component
  var entry: JournalEntry

  init(_ renaming: Rewriter.Renaming, _ run: RunID, _ sequence: Int, atomicGroup: Int?) throws(FileError) {
    let place = try DirectoryEntry.renaming(renaming.path, to: renaming.name)
    guard let identity = try place.folder.identity(of: place.name) else { throw FileError.changedMeanwhile }
    // A program that saves by the old name would make a second file.
    try place.refuseIfOpenForWriting(try place.folder.open(place.name, O_RDONLY))
    (folder, name, newName) = (place.folder, place.name, renaming.name)
    entry = JournalEntry(
      run: run.rawValue, sequence: sequence, folder: Data(folder.path.bytes), name: Data(name.bytes),
      scratch: Data(newName.bytes), method: .renaming, old: identity, new: identity, digest: Data(),
      undoesRun: renaming.undone?.run, undoesSequence: renaming.undone?.sequence, atomicGroup: atomicGroup)
  }
}

extension DirectoryEntry {
  /// Returns the location of the file at `path` if it can be renamed to `name`.
  package static func renaming(_ path: FilePath, to name: FilePath.Component) throws(FileError) -> DirectoryEntry {
    guard let status = path.status(followingLinks: false) else { throw FileError(errno: errno, doing: "find it") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.symbolicLink, "is a symbolic link, which is not renamed", remedy: .renameByHand)
    }
    let place = try DirectoryEntry(resolving: path)
    try place.refuseIfMarked()
    try place.folder.requireFree(name)
    try place.folder.requireWritable()
    return place
  }
}

extension Directory {
  /// Throws if a file of this name exists.
  package func requireFree(_ name: FilePath.Component) throws(FileError) {
    guard try status(of: name) != nil else { return }
    throw FileError(.nameTaken, "can't be renamed to \(name): that file exists", remedy: .moveAway("\(name)"))
  }
}
