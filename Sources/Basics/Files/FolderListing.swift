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
    package var isHidden: Bool { name.isHidden }
  }

  /// Returns the next entry other than `.` and `..`, in no particular order; nil at the end.
  ///
  /// - Throws: If the file system can't continue; otherwise the folder would seem to end there.
  package func next() throws(FileError) -> Entry? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let error = errno
        guard error == 0 else { throw FileError(errno: error, doing: "read the whole folder") }
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
