import CSys
import Foundation
package import Glibc
package import SystemPackage

/// Writes a new file that is not part of a run: the journal doesn't record it, and it never overwrites another file.
package enum FreshFile {
  /// Writes a new file, and doesn't replace an existing one.
  /// - Throws: `.conflict` if something exists at `path`; `.io` if the file can't be written, in which case nothing is
  ///   left.
  package static func write(_ bytes: [UInt8], to path: FilePath, mode: mode_t = 0o666) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let system = FileSystems.current
    let created = path.withPlatformString { system.openat(AT_FDCWD, $0, flags, mode) }
    guard created >= 0 else {
      if errno == EEXIST { throw FileError(.alreadyExists, "already exists", remedy: .chooseAnotherName) }
      throw FileError(errno: errno, doing: "create it")
    }
    let descriptor = Descriptor(owning: created, of: system)
    do throws(FileError) {
      try descriptor.write(bytes, at: 0)
      try descriptor.synchronize()
    } catch {
      path.unlink()
      throw error
    }
  }

  /// Writes the result of applying `patch` to `source` into a new file, and doesn't replace an existing one. The file
  /// appears under its name only when it is complete and on the disk.
  /// - Parameters:
  ///   - isInMemory: Whether `source` is in no file, so that there are no attributes to copy.
  ///   - check: Reads the new bytes and throws if they are not as expected.
  /// - Throws: `.conflict` if something exists at `path`; `.io` if the file can't be written. Nothing is left then.
  package static func copy(
    _ source: FileSource, _ patch: Patch, to path: FilePath, isInMemory: Bool,
    check: (any ByteSource) throws(FileError) -> Void
  ) throws(FileError) {
    guard let name = path.lastComponent, let scratchName = FilePath.Component(".metatag-\(UUID()).tmp") else {
      throw FileError(.noName, "the path has no file name")
    }
    let place = DirectoryEntry(try Directory(resolving: path.removingLastComponent()), name)
    guard try place.folder.status(of: name) == nil else {
      throw FileError(.alreadyExists, "already exists", remedy: .chooseAnotherName)
    }
    let scratch = try ScratchFile(scratchName, in: place.folder)
    do throws(FileError) {
      try scratch.write(patch, of: source)
      if isInMemory {
        let mask = umask(0)
        umask(mask)
        _ = scratch.descriptor.system.fchmod(scratch.descriptor.rawValue, 0o666 & ~mask)
      } else {
        try Attributes.copy(from: source.file, source.status, to: scratch.descriptor, keepingOwner: false)
        if patch.isEmpty {
          try Attributes.setTimes(
            scratch.descriptor, accessed: source.status.st_atim, modified: FileTime(source.status.st_mtim))
        }
      }
      try check(try FileSource(duplicating: scratch.descriptor))
      try scratch.descriptor.synchronize()
      let written = try FileSource(reopening: scratch.descriptor)
      guard written.count == patch.newCount,
        try written.digest(patch.newRanges) == PatchedSource(old: source, patch: patch).digest(patch.newRanges)
      else { throw FileError(.readBackDiffers, "the bytes read back differ from those written") }
      // Bytes that changed while they were copied would be neither the old photo nor the new one.
      if !isInMemory, try FileIdentity(of: source.file) != FileIdentity(source.status) {
        throw FileError(.changedDuringRead, "was changed by another program while it was copied", remedy: .runAgain)
      }
      try place.folder.move(scratchName, to: name)
      try place.folder.descriptor.synchronizeAll()
    } catch {
      throw scratch.removed(after: error)
    }
  }
}

extension FileSource {
  /// Creates a file in memory that holds bytes which are in no file yet: the child process can only read files.
  package convenience init(holding bytes: [UInt8]) throws(FileError) {
    try self.init { descriptor throws(FileError) in try descriptor.write(bytes, at: 0) }
  }

  /// Creates a file in memory that holds what `input` delivers.
  /// - Throws: `.tooLarge` if that is more than `most` bytes.
  package convenience init(holding input: FileDescriptor, atMost most: Int) throws(FileError) {
    try self.init { descriptor throws(FileError) in
      var at = 0
      var failure: CInt = 0
      while failure == 0 {
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, filled in
          let count = read(input.rawValue, buffer.baseAddress, buffer.count)
          if count < 0 { failure = errno } else { filled = count }
        }
        if failure == EINTR { failure = 0 } else if failure == 0, bytes.isEmpty { return }
        guard at + bytes.count <= most else {
          throw FileError(.tooLarge, "standard input has more than \(most / 1_000_000_000) GB")
        }
        try descriptor.write(bytes, at: at)
        at += bytes.count
      }
      throw FileError(errno: failure, doing: "read standard input")
    }
  }

  /// Creates a file in memory that `fill` writes.
  private convenience init(fill: (borrowing Descriptor) throws(FileError) -> Void) throws(FileError) {
    let file = csys_memfd("metatag")
    guard file >= 0 else { throw FileError(errno: errno, doing: "allocate memory") }
    let descriptor = Descriptor(owning: file)
    try fill(descriptor)
    try self.init(descriptor)
  }
}
