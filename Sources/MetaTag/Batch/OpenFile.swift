import Glibc
import SystemPackage

/// One file of a run, open, with what it records.
struct OpenFile {
  /// A file that isn't there yet: where it is to be, and whose attributes it gets.
  struct NewFile {
    let folder: Directory
    let name: FilePath.Component
    let attributeSource: FileSource
  }

  let file: FileSource
  let image: ImageSource
  let metadata: Metadata
  private(set) var newFile: NewFile?

  init(_ path: FilePath) throws(FileError) {
    do throws(FileError) { file = try FileSource(path) } catch {
      // It was listed a moment ago.
      guard path.withPlatformString({ access($0, F_OK) }) != 0, errno == ENOENT else { throw error }
      throw FileError(.io, "is no longer there: it was moved or removed, or its card or folder is gone")
    }
    image = try ImageSource(file, path: path)
    metadata = image.metadata()
  }

  /// One that is in no file yet, but would be at `path`.
  init(_ bytes: [UInt8], path: FilePath) throws(FileError) {
    file = try FileSource(holding: bytes)
    image = try ImageSource(file, path: path)
    metadata = image.metadata()
  }

  /// A sidecar that says nothing yet, for `photo`.
  init(sidecarNamed name: FilePath.Component, of photo: OpenFile) throws(FileError) {
    // Of a link, beside that: its target may lie where nobody looks, under a name that means nothing.
    let path = photo.image.path.removingLastComponent()
    let folder = try Directory(resolving: path)
    guard name.bytes.count <= 255 else {
      throw FileError(.refused, "its sidecar \(name) would have too long a name: shorten the photo's")
    }
    guard try folder.status(of: name) == nil else {
      throw FileError(.conflict, "something called \(name) is beside it that is no sidecar of it; move that away")
    }
    try self.init(XMPPacket.sidecar, path: path.appending(name))
    newFile = NewFile(folder: folder, name: name, attributeSource: photo.file)
  }

  /// A sidecar that is there.
  init(sidecarAt path: FilePath) throws(FileError) {
    try self.init(path)
    guard image.type == .xmp else { throw FileError(.unsupported, "is \(image.type.name), not XMP") }
  }

  /// What goes wrong with one file of several is told by its name.
  func naming<R>(_ body: () throws(FileError) -> R) throws(FileError) -> R {
    try OpenFile.naming(image.path, body)
  }

  static func naming<R>(_ path: FilePath, _ body: () throws(FileError) -> R) throws(FileError) -> R {
    do {
      return try body()
    } catch {
      let name = path.lastComponent?.string ?? path.string
      let isSidecar = path.lastComponent?.isSidecar ?? false
      throw FileError(
        error.kind,
        isSidecar
          ? "its sidecar \(name): \(error.sentence)"
          : "of its files, \(name): \(error.sentence); --separately takes each file by itself", at: error.offset)
    }
  }
}

extension Directory {
  /// Where `name` in it is, as the user would write it; where a link led to the photo, in this folder itself.
  func path(of name: FilePath.Component, beside photo: FilePath) -> FilePath {
    var status = stat()
    let isLink = photo.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    return isLink ? path.appending(name) : photo.removingLastComponent().appending(name)
  }
}
