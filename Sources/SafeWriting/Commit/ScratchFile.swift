import CSys
import Glibc
import Synchronization
import SystemPackage

/// The new file, next to the photo, until it replaces the photo.
package final class ScratchFile: Sendable {
  let folder: Directory
  /// The name that the journal records. After an exchange, the old file has it.
  let recordedName: FilePath.Component
  let descriptor: Descriptor
  private let currentName: Mutex<FilePath.Component>
  /// The name that the file has.
  var name: FilePath.Component { currentName.withLock(\.self) }

  /// The size in bytes below which preparing the disk costs more than it saves.
  private static let smallCount = 1 << 20
  /// The size in bytes below which a file is assembled in memory and written at once.
  private static let tinyCount = 1 << 17

  /// Creates an empty scratch file.
  /// - Parameter stagingName: The name of the file until the exchange, if it isn't the recorded one.
  init(
    _ name: FilePath.Component, staged stagingName: FilePath.Component? = nil, in folder: Directory
  ) throws(FileError) {
    self.folder = folder
    recordedName = name
    currentName = Mutex(stagingName ?? name)
    descriptor = try folder.create(stagingName ?? name)
  }

  /// Gives the file the recorded name. From then on, a file of that name may be the only original of a photo. A file with a
  /// staging name never is.
  func takeRecordedName() throws(FileError) {
    try currentName.withLock { name throws(FileError) in
      guard name != recordedName else { return }
      try folder.move(name, to: recordedName)
      name = recordedName
    }
  }

  /// Removes the file.
  func remove() throws(FileError) { try folder.remove(name) }

  /// Removes the file after `error`. Returns the error to report, which mentions the file if it can't be removed.
  func removed(after error: FileError) -> FileError {
    guard (try? remove()) == nil else { return error }
    return FileError(
      .io, "\(error.description); the scratch file \(name) remains in its folder", at: error.offset, remedy: .nextRun)
  }

  /// Drops the file's clean pages from the page cache, and starts to read what will be verified.
  func forget() {
    descriptor.forget()
    descriptor.ask(for: 0..<FileSource.headCount)
  }

  /// Writes the result of applying `patch` to `old`. Unchanged bytes don't pass through this process if the system can
  /// share their blocks or copy them itself. Holes of a sparse file remain holes.
  func write(_ patch: Patch, of old: FileSource) throws(FileError) {
    do throws(FileError) {
      try fill(patch, of: old)
    } catch {
      throw error.code == .diskFull ? error.advising(.freeSpace(patch.newCount)) : error
    }
  }

  private func fill(_ patch: Patch, of old: FileSource) throws(FileError) {
    let volume = Volume(of: descriptor)
    let isSmall = patch.newCount < ScratchFile.smallCount
    // Shared blocks and holes need no space. If space can't be reserved for another reason, writing reports a full disk.
    if !volume.sharesBlocks, !isSmall, !old.hasHoles,
      descriptor.system.fallocate(descriptor.rawValue, patch.newCount) != 0, errno == ENOSPC
    {
      throw FileError(errno: ENOSPC, doing: "rewrite it")
    }
    if patch.newCount < ScratchFile.tinyCount, !volume.sharesBlocks {
      return try descriptor.write(try patch.applied(to: old), at: 0)
    }
    for piece in patch.pieces {
      switch piece.content {
      case .new(let bytes): try descriptor.write(bytes, at: piece.position.lowerBound)
      case .kept(let range): try keep(range, of: old, at: piece.position.lowerBound, on: volume)
      }
    }
    // The file may end with a hole.
    if old.hasHoles, descriptor.system.ftruncate(descriptor.rawValue, patch.newCount) != 0 {
      throw FileError(errno: errno, doing: "rewrite it")
    }
    // This only starts the write-back: the disk works while the next file is prepared.
    if !isSmall { descriptor.system.startWriteback(descriptor.rawValue) }
  }

  private func keep(_ range: Range<Int>, of old: FileSource, at position: Int, on volume: Volume) throws(FileError) {
    let block = volume.blockSize
    guard volume.sharesBlocks, range.lowerBound % block == position % block else {
      return try copy(range, of: old, at: position)
    }
    let start = (range.lowerBound + block - 1) / block * block
    // A last partial block can be shared only if it is the last of both files; copying part of a block costs less than
    // trying.
    let end = range.upperBound / block * block
    guard
      start < end,
      descriptor.system.cloneRange(
        old.descriptor, start..<end, descriptor.rawValue, position + start - range.lowerBound) == 0
    else { return try copy(range, of: old, at: position) }
    try copy(range.lowerBound..<start, of: old, at: position)
    try copy(end..<range.upperBound, of: old, at: position + end - range.lowerBound)
  }

  private func copy(_ range: Range<Int>, of old: FileSource, at position: Int) throws(FileError) {
    guard old.hasHoles else { return try copyData(range, of: old, at: position) }
    var at = range.lowerBound
    while at < range.upperBound, let data = descriptor.system.nextData(old.descriptor, from: at),
      data.lowerBound < range.upperBound
    {
      let part = data.clamped(to: at..<range.upperBound)
      try copyData(part, of: old, at: position + part.lowerBound - range.lowerBound)
      at = part.upperBound
    }
  }

  private func copyData(_ range: Range<Int>, of old: FileSource, at position: Int) throws(FileError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let count = descriptor.system.copyFileRange(
        old.descriptor, at..<range.upperBound, descriptor.rawValue, position + at - range.lowerBound)
      if count > 0 {
        at += count
      } else if count == 0 {
        throw FileError(.changedDuringRead, "the file was truncated while it was being read", at: at)
      } else if errno == ENOSPC || errno == EIO || errno == EDQUOT {
        throw FileError(errno: errno, doing: "rewrite it", at: at)
      } else if errno != EINTR {
        return try copyThroughMemory(at..<range.upperBound, of: old, at: position + at - range.lowerBound)
      }
    }
  }

  private func copyThroughMemory(_ range: Range<Int>, of old: FileSource, at position: Int) throws(FileError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let end = min(at + 1 << 20, range.upperBound)
      try descriptor.write(try old.bytes(at..<end).array, at: position + at - range.lowerBound)
      at = end
    }
  }
}

extension FileSource {
  /// Whether it may have holes that its file system reports.
  fileprivate var hasHoles: Bool { isSparse && Volume(of: file).reportsHoles }
}
