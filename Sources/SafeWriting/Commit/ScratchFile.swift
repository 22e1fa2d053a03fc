import CSys
import Glibc
import SystemPackage

/// The new file, next to the photo, until it replaces the photo.
package final class ScratchFile: Sendable {
  let folder: Directory
  let name: FilePath.Component
  let descriptor: CInt

  /// The size in bytes below which preparing the disk costs more than it saves.
  private static let smallCount = 1 << 20
  /// The size in bytes below which a file is assembled in memory and written at once.
  private static let tinyCount = 1 << 17

  /// Creates an empty scratch file.
  init(_ name: FilePath.Component, in folder: Directory) throws(FileError) {
    self.folder = folder
    self.name = name
    descriptor = try folder.create(name)
  }

  deinit { close(descriptor) }

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
  /// share their blocks or copy them itself.
  func write(_ patch: Patch, of old: FileSource) throws(FileError) {
    let volume = Volume(of: descriptor)
    let isSmall = patch.newCount < ScratchFile.smallCount
    // Shared blocks need no space. If space can't be reserved for another reason, writing reports a full disk.
    if !volume.sharesBlocks, !isSmall, csys_fallocate(descriptor, 0, 0, Int64(patch.newCount)) != 0, errno == ENOSPC {
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
    // This only starts the write-back: the disk works while the next file is prepared.
    if !isSmall { _ = csys_start_writeback(descriptor) }
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
      csys_clone_range(
        old.descriptor, Int64(start), end - start, descriptor, Int64(position + start - range.lowerBound)) == 0
    else { return try copy(range, of: old, at: position) }
    try copy(range.lowerBound..<start, of: old, at: position)
    try copy(end..<range.upperBound, of: old, at: position + end - range.lowerBound)
  }

  private func copy(_ range: Range<Int>, of old: FileSource, at position: Int) throws(FileError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let count = csys_copy_file_range(
        old.descriptor, Int64(at), descriptor, Int64(position + at - range.lowerBound), range.upperBound - at)
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

extension CInt {
  /// Writes all of `bytes` to this file at `position`.
  package func write(_ bytes: [UInt8], at position: Int) throws(FileError) {
    var failure: CInt = 0
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, failure == 0 {
        let count = pwrite(self, buffer.baseAddress! + done, buffer.count - done, off_t(position + done))
        if count >= 0 { done += count } else if errno != EINTR { failure = errno }
      }
    }
    guard failure == 0 else { throw FileError(errno: failure, doing: "write it", at: position) }
  }

  /// Drops the file's clean pages from the page cache, so that the disk answers: after a failed write the cache may
  /// show bytes that the disk does not hold.
  fileprivate func forget() { _ = posix_fadvise(self, 0, 0, POSIX_FADV_DONTNEED) }

  /// Drops the cached pages that hold `range`; whole pages, because partial ones are not dropped.
  package func forget(_ range: Range<Int>) {
    // The largest page size in use.
    let page = 65_536
    let (start, end) = (range.lowerBound / page * page, (range.upperBound + page - 1) / page * page)
    _ = posix_fadvise(self, off_t(start), off_t(end - start), POSIX_FADV_DONTNEED)
  }

  /// Asks the kernel to start reading `range`.
  package func ask(for range: Range<Int>) {
    _ = posix_fadvise(self, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_WILLNEED)
  }

  /// Waits until this file's bytes are on disk.
  func synchronize() throws(FileError) {
    guard fdatasync(self) == 0 else { throw FileError(errno: errno, doing: "flush it to disk") }
  }
}

extension FileSource {
  /// Creates another reader of an open file, which stays open.
  ///
  /// - Parameter headCount: The number of bytes that are read at once.
  package convenience init(duplicating descriptor: CInt, headCount: Int = FileSource.headCount) throws(FileError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw FileError(errno: errno, doing: "read it back") }
    try self.init(owning: copy, headCount: headCount)
  }

  /// Creates another reader of an open file that reads from disk, not from the page cache.
  package convenience init(reopening descriptor: CInt) throws(FileError) {
    descriptor.forget()
    try self.init(duplicating: descriptor)
  }
}
