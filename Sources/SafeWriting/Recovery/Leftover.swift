import Foundation
import Glibc
package import SystemPackage

/// A scratch file that was found next to photos.
package struct Leftover: Hashable, Sendable {
  /// The reason to keep or to remove the file.
  package enum Use: String, Sendable {
    /// A row of the journal mentions it. Recovery settles it, or a process is working on it.
    case pending
    /// It holds nothing that a photo in the same folder doesn't hold.
    case superfluous
    /// The journal doesn't know it. After an exchange, a scratch file can be the only original of a photo.
    case unknown
    /// The change of the photo is settled, but another program had changed the photo or this file.
    case kept
    /// Recovery can't settle it, because the folder was moved since.
    case displaced
    /// A run with another journal left it, or is working on it. It can be the only original of a photo, too.
    case foreign
  }

  /// The file.
  package let path: FilePath
  /// The reason to keep or to remove it.
  package let use: Use
  /// The photo, if the journal knows it.
  package var photo: FilePath?
  /// The run of this journal that left the file, also if the journal has lost it.
  package var run: RunID?
}

extension Leftover {
  /// A change that the journal records, for its scratch file.
  fileprivate struct Change {
    let isPending: Bool
    let photo: FilePath
  }

  /// Returns the scratch files in folders, and removes those that are superfluous.
  ///
  /// - Parameters:
  ///   - journal: The user's journal. If there is none, or if it can't be read, every file is another journal's.
  ///   - folders: The folders to look in, not those inside them.
  ///   - removes: Whether superfluous files are removed. Only a journal that is open for writing can do that.
  ///   - isPhoto: Whether a file of this name is a photo. Only photos can make another file superfluous.
  /// - Throws: `FileError.Kind.io` when the journal can't be read. Folders that can't be read count as empty.
  package static func all(
    in folders: some Sequence<FilePath>, of journal: Journal?, removing removes: Bool,
    isPhoto: (FilePath.Component) -> Bool
  ) throws(FileError) -> [Leftover] {
    var found: [Leftover] = []
    var changes: [RunID: [[UInt8]: Change]?] = [:]
    // Their files aren't in any row yet.
    let running = Set(try journal?.runningRuns() ?? [])
    for path in folders {
      guard let folder = try? Directory(resolving: path), let names = try? folder.names() else { continue }
      let scratches = names.filter { ScratchName($0) != nil }
      guard !scratches.isEmpty else { continue }
      let photos = names.filter { !$0.isHidden && isPhoto($0) }
      var isChanged = false
      for name in scratches.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
        guard try folder.status(of: name).map({ $0.st_mode & S_IFMT == S_IFREG }) == true else { continue }
        var leftover = Leftover(path: folder.path.appending(name), use: .foreign)
        if let journal, let parts = ScratchName(name), parts.token == journal.token {
          if changes[parts.run] == nil { changes[parts.run] = try journal.changes(of: parts.run) }
          let known = changes[parts.run] ?? nil
          let change = known?[name.recordedName]
          // The folder may have been moved since.
          let isDisplaced = change.map { $0.photo.removingLastComponent() != folder.path } ?? false
          let isOpen = change?.isPending == true
          let use: Use
          if isOpen && !isDisplaced || journal.isWrittenByAnother || running.contains(parts.run) {
            use = .pending
          } else if known != nil,
            name.isStaged && change == nil || (try? folder.holdsAll(of: name, among: photos)) == true
          {
            use = .superfluous
          } else if change == nil || isDisplaced && !isOpen {
            // It may be the file of a row that can't be read, or that the journal has lost.
            use = .unknown
          } else {
            use = isOpen ? .displaced : .kept
          }
          let photo = use == .unknown ? nil : change?.photo
          leftover = Leftover(path: leftover.path, use: use, photo: photo, run: parts.run)
        }
        if leftover.use == .superfluous, removes, (try? folder.remove(name)) != nil { isChanged = true }
        found.append(leftover)
      }
      if isChanged { try? folder.synchronizeVolume() }
    }
    return found
  }
}

extension Journal {
  /// Returns the changes of a run that have scratch files, by the names of these; nil if a row can't be read.
  fileprivate func changes(of run: RunID) throws(FileError) -> [[UInt8]: Leftover.Change]? {
    try scratchFiles(of: run) { entry in
      Leftover.Change(isPending: entry.state == .staged || entry.state == .committed, photo: entry.path)
    }
  }
}

/// The parts of a scratch file's name.
struct ScratchName {
  /// The token of the journal.
  let token: Substring
  let run: RunID

  /// Parses `.metatag-12345678-1-1.tmp`, also with the ending of the old or the new file; nil for any other name.
  init?(_ name: FilePath.Component) {
    let text = String(decoding: name.recordedName, as: UTF8.self)
    guard text.hasPrefix(Journal.scratchPrefix), text.hasSuffix(Journal.scratchSuffix) else { return nil }
    let parts = text.dropFirst(Journal.scratchPrefix.count).dropLast(Journal.scratchSuffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, UInt64(parts[0], radix: 16) != nil, let run = Int64(parts[1]), Int(parts[2]) != nil else {
      return nil
    }
    (token, self.run) = (parts[0], RunID(run))
  }
}

extension FilePath.Component {
  /// The name that the journal records, if this is the name that the old file gets where names can't be exchanged, or that
  /// the new file has before.
  var recordedName: [UInt8] {
    if bytes.ends(with: StagedFile.backupEnding) { return bytes.dropLast(StagedFile.backupEnding.count) }
    guard isStaged else { return bytes }
    return bytes.dropLast(StagedFile.stagingEnding.count) + Array(Journal.scratchSuffix.utf8)
  }

  /// Whether this is the name of a new file that hasn't replaced anything.
  var isStaged: Bool { bytes.ends(with: StagedFile.stagingEnding) }
}

extension [UInt8] {
  fileprivate func ends(with ending: [UInt8]) -> Bool { suffix(ending.count).elementsEqual(ending) }
}

extension Directory {
  /// Whether a file is equal to a photo in this folder, or to the beginning of one.
  func holdsAll(of name: FilePath.Component, among photos: [FilePath.Component]) throws(FileError) -> Bool {
    let file = try DirectoryEntry(self, name).open()
    // A program may still write to it.
    guard !Volume.hasWriter(file.file) else { return false }
    guard file.count > 0 else { return true }
    for other in photos {
      guard let status = try status(of: other), status.st_mode & S_IFMT == S_IFREG, status.st_size >= file.count,
        let photo = try? DirectoryEntry(self, other).open(), (try? photo.begins(with: file)) == true
      else { continue }
      return true
    }
    return false
  }
}

extension Leftover {
  /// Gives the file a visible name in its folder: `wanted`, or one with a number if that is taken. Returns its new path.
  package func rename(to wanted: FilePath.Component) throws(FileError) -> FilePath {
    guard let name = path.lastComponent else { throw FileError(.noName, "could not find a name for the new file") }
    let folder = try Directory(path.removingLastComponent())
    for number in 0..<10_000 {
      let candidate = try wanted.numbered(number)
      guard try folder.status(of: candidate) == nil else { continue }
      try folder.move(name, to: candidate)
      try folder.synchronizeVolume()
      return folder.path.appending(candidate)
    }
    throw FileError(.nameTaken, "too many files named \(wanted) in the folder", remedy: .moveAway(nil))
  }
}
