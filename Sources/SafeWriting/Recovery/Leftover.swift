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
    /// A run with another journal left it, or is working on it.
    case foreign
  }

  /// The file.
  package let path: FilePath
  /// The reason to keep or to remove it.
  package let use: Use
}

extension Journal {
  /// Returns the scratch files in folders, and removes those that are superfluous.
  ///
  /// - Parameters:
  ///   - folders: The folders to look in, not those inside them.
  ///   - removes: Whether superfluous files are removed. Only a journal that is open for writing can do that.
  ///   - isPhoto: Whether a file of this name is a photo. Only photos can make another file superfluous.
  /// - Throws: `FileError.Kind.io` when the journal can't be read. Folders that can't be read count as empty.
  package func leftovers(
    in folders: some Sequence<FilePath>, removing removes: Bool, isPhoto: (FilePath.Component) -> Bool
  ) throws(FileError) -> [Leftover] {
    var found: [Leftover] = []
    var pending: [RunID: Set<[UInt8]>?] = [:]
    // Their files aren't in any row yet.
    let running = Set(try runningRuns())
    for path in folders {
      guard let folder = try? Directory(resolving: path), let names = try? folder.names() else { continue }
      let scratches = names.filter(\.isOfScratchFile)
      guard !scratches.isEmpty else { continue }
      let photos = names.filter { !$0.isHidden && isPhoto($0) }
      var isChanged = false
      for name in scratches.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
        guard try folder.status(of: name).map({ $0.st_mode & S_IFMT == S_IFREG }) == true else { continue }
        var use = Leftover.Use.foreign
        if let run = run(ofScratch: name) {
          if pending[run] == nil { pending[run] = try scratchNames(of: run) }
          let isNamed = pending[run]?.map { $0.contains(name.withoutBackupEnding) } ?? true
          let isPending = isNamed || isWrittenByAnother || running.contains(run)
          let isSuperfluous = isPending ? false : (try? folder.holdsAll(of: name, among: photos)) == true
          use = isPending ? .pending : isSuperfluous ? .superfluous : .unknown
        }
        if use == .superfluous, removes, (try? folder.remove(name)) != nil { isChanged = true }
        found.append(Leftover(path: folder.path.appending(name), use: use))
      }
      if isChanged { try? folder.synchronizeVolume() }
    }
    return found
  }

  /// Returns the names of the scratch files of changes that aren't settled; nil if a row can't be read.
  private func scratchNames(of run: RunID) throws(FileError) -> Set<[UInt8]>? {
    try scratchFiles(of: run) { $0.state == .staged || $0.state == .committed }.map { files in
      Set(files.filter(\.value).keys)
    }
  }

  /// Returns the run of a scratch file of this journal; nil for another journal's.
  private func run(ofScratch name: FilePath.Component) -> RunID? {
    let start = Array((Journal.scratchPrefix + token + "-").utf8)
    guard name.bytes.starts(with: start) else { return nil }
    let parts = name.withoutBackupEnding.dropFirst(start.count).split(separator: UInt8(ascii: "-"))
    let ending = Array(Journal.scratchSuffix.utf8)
    guard parts.count == 2, parts[1].suffix(ending.count).elementsEqual(ending),
      let run = Int64(String(decoding: parts[0], as: UTF8.self)),
      Int(String(decoding: parts[1].dropLast(ending.count), as: UTF8.self)) != nil
    else { return nil }
    return RunID(run)
  }
}

extension FilePath.Component {
  fileprivate var isOfScratchFile: Bool { bytes.starts(with: Array(Journal.scratchPrefix.utf8)) }

  /// The name of the scratch file, if this is that of the old file where names can't be exchanged.
  var withoutBackupEnding: [UInt8] {
    let ending = StagedFile.backupEnding
    return bytes.suffix(ending.count).elementsEqual(ending) ? bytes.dropLast(ending.count) : bytes
  }
}

extension Directory {
  /// Whether a file is equal to a photo in this folder, or to the beginning of one.
  fileprivate func holdsAll(of name: FilePath.Component, among photos: [FilePath.Component]) throws(FileError) -> Bool {
    let file = try DirectoryEntry(self, name).open()
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
