import CSys
import Glibc
package import SystemPackage

/// A folder listing that is read entry by entry.
package struct FolderListing: ~Copyable {
  private let stream: OpaquePointer

  /// Lists the folder at `path`.
  package init(_ path: FilePath) throws(FileError) {
    guard let stream = path.withPlatformString({ opendir($0) }) else {
      throw FileError(errno: errno, doing: "read the folder")
    }
    self.stream = stream
  }

  /// Lists the folder that `descriptor` refers to. Closes `descriptor` in the end.
  package init(owning descriptor: CInt) throws(FileError) {
    guard let stream = fdopendir(descriptor) else {
      let error = errno
      close(descriptor)
      throw FileError(errno: error, doing: "read the folder")
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// One entry of a folder.
  package struct Entry {
    package let name: FilePath.Component
    /// Whether the listing reports a folder. Not all file systems report the type.
    package let isFolder: Bool
    /// Whether the listing reports a regular file.
    package let isFile: Bool

    package init(name: FilePath.Component, isFolder: Bool, isFile: Bool) {
      self.name = name
      self.isFolder = isFolder
      self.isFile = isFile
    }

    /// Whether the name begins with a dot.
    package var isHidden: Bool { name.withPlatformString { $0[0] } == CInterop.PlatformChar(UInt8(ascii: ".")) }
  }

  /// Returns the next entry other than `.` and `..`, in no particular order; nil at the end.
  ///
  /// - Throws: If the file system can't continue; otherwise the folder would seem to end there.
  package func next() throws(FileError) -> Entry? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let error = errno
        guard error == 0 else { throw FileError(errno: error, doing: "read the folder to its end") }
        return nil
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: Int(NAME_MAX) + 1) {
          FilePath.Component(platformString: $0)
        }
      }
      guard let name, name.kind == .regular else { continue }
      let type = entry.pointee.d_type
      return Entry(name: name, isFolder: type == UInt8(DT_DIR), isFile: type == UInt8(DT_REG))
    }
  }
}

/// Writes a new file that is not part of a run: the journal doesn't record it, and it never overwrites another file.
package enum FreshFile {
  /// - Throws: `.conflict` if something exists at `path`; `.io` if the file can't be written, in which case nothing is
  ///   left.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = path.withPlatformString { open($0, flags, 0o666) }
    guard descriptor >= 0 else {
      if errno == EEXIST { throw FileError(.alreadyExists, "already exists", remedy: .chooseAnotherName) }
      throw FileError(errno: errno, doing: "make it")
    }
    defer { close(descriptor) }
    do throws(FileError) {
      try descriptor.write(bytes, at: 0)
      try descriptor.synchronize()
    } catch {
      _ = path.withPlatformString { unlink($0) }
      throw error
    }
  }
}

extension FileSource {
  /// Creates a file in memory that holds bytes which are in no file yet: the child process can only read files.
  package convenience init(holding bytes: [UInt8]) throws(FileError) {
    let descriptor = csys_memfd("metatag")
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "take memory for it") }
    do throws(FileError) {
      try descriptor.write(bytes, at: 0)
    } catch {
      close(descriptor)
      throw error
    }
    try self.init(owning: descriptor)
  }
}
