import Glibc
import SystemPackage

/// An open file of a run, with its metadata.
struct OpenFile {
  /// A file that doesn't exist yet: its folder and name, and the photo that it belongs to, whose attributes it gets.
  struct NewFile {
    let folder: Directory
    let name: FilePath.Component
    let owner: FilePath
    let attributeSource: FileSource
  }

  let file: FileSource
  let image: ImageSource
  let metadata: Metadata
  private(set) var newFile: NewFile?
  /// Whether the content is in no file.
  private(set) var isInMemory = false

  /// Opens a file.
  /// - Parameter content: The content, if it is in no file.
  init(_ path: FilePath, content: FileSource? = nil) throws(FileError) {
    do throws(FileError) { file = if let content { content } else { try FileSource(path) } } catch {
      // It was listed a moment ago.
      guard path.withPlatformString({ access($0, F_OK) }) != 0, errno == ENOENT else { throw error }
      throw FileError(.noSuchFile, "no longer exists (moved, removed, or on a volume that is not mounted)")
    }
    image = try ImageSource(file, path: path)
    metadata = image.metadata()
    isInMemory = content != nil
  }

  /// Uses a photo that is already open. One in memory is copied to a file in memory, because the second reader reads
  /// files.
  init(_ image: ImageSource) throws(FileError) {
    let known = image.file as? FileSource
    file = if let known { known } else { try FileSource(holding: image.file.bytes(0..<image.file.count).array) }
    self.image = image
    metadata = image.metadata()
    isInMemory = known == nil
  }

  /// Opens bytes that are in no file yet as if they were at `path`.
  init(_ bytes: [UInt8], path: FilePath) throws(FileError) {
    file = try FileSource(holding: bytes)
    image = try ImageSource(file, path: path)
    metadata = image.metadata()
  }

  /// Creates an empty sidecar for `photo`.
  init(sidecarNamed name: FilePath.Component, of photo: OpenFile) throws(FileError) {
    // For a symlink, put the sidecar next to the link: tools look there, not next to the target.
    let path = photo.image.path.removingLastComponent()
    let folder = try Directory(resolving: path)
    guard name.bytes.count <= 255 else {
      throw FileError(.nameTooLong, "the name of its sidecar, \(name), would be too long", remedy: .shortenName)
    }
    guard try folder.status(of: name) == nil else {
      throw FileError(.notSidecar, "\(name) exists and is not a sidecar", remedy: .moveAway("\(name)"))
    }
    try self.init(XMPPacket.sidecar, path: path.appending(name))
    newFile = NewFile(folder: folder, name: name, owner: photo.image.path, attributeSource: photo.file)
  }

  /// Opens an existing sidecar.
  init(sidecarAt path: FilePath) throws(FileError) {
    try self.init(path)
    guard image.type == .xmp else { throw FileError(.notXMP, "is \(image.type.name), not XMP") }
  }

  /// Adds the file's name to errors that `body` throws, since a photo may have several files.
  func naming<R>(_ body: () throws(FileError) -> R) throws(FileError) -> R {
    try OpenFile.naming(image.path, body)
  }

  static func naming<R>(_ path: FilePath, _ body: () throws(FileError) -> R) throws(FileError) -> R {
    do {
      return try body()
    } catch {
      let name = path.lastComponent?.string ?? path.string
      let isSidecar = path.lastComponent?.isSidecar ?? false
      throw isSidecar
        ? error.reworded("its sidecar \(name): \(error.description)")
        : error.reworded(
          "its companion \(name): \(error.description)", remedy: error.kind == .io ? error.remedy : .separateFiles)
    }
  }
}

extension Directory {
  /// Returns the path of `name` in this folder as the user would write it. If `photo` is a symlink, returns the path in
  /// this folder itself.
  func path(of name: FilePath.Component, beside photo: FilePath) -> FilePath {
    var status = stat()
    let isLink = photo.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    return isLink ? path.appending(name) : photo.removingLastComponent().appending(name)
  }
}

/// The content of a file without its pictures and sound, by which a change is noticed without reading them.
struct FileContent: Hashable, Sendable {
  /// The size in bytes.
  let size: Int
  /// The SHA-256 of all bytes except pictures, sound and trailers, in hexadecimal.
  let metadata: String

  init(size: Int, metadata: String) { (self.size, self.metadata) = (size, metadata) }

  init(of source: some ByteSource, _ layout: Layout) throws(FileError) {
    let digest = try source.digest([0..<source.count].excluding(layout.imageData))
    self.init(size: source.count, metadata: digest.hexadecimal)
  }
}

extension Sequence<UInt8> {
  /// The bytes in hexadecimal digits.
  var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// The state of a file, by which a later change is noticed.
struct FileState: Hashable, Sendable {
  let content: FileContent
  /// The modification time in the file system.
  let modified: Instant
}

/// The states of a photo's files when it was planned, and their new names. The plan applies only if they still match.
struct PlannedStates: Sendable {
  let states: [FilePath: FileState]
  /// The contents that the files get, also those of new sidecars; none in plans of earlier versions.
  let results: [FilePath: FileContent]
  let newNames: [FilePath: String]
  /// The sidecars that are created.
  let newSidecars: Set<FilePath>
}

extension OpenFile {
  var content: FileContent {
    get throws(FileError) { try FileContent(of: file, image.layout) }
  }

  var state: FileState {
    get throws(FileError) {
      let time = file.status.st_mtim
      let modified = Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
      guard modified.inUTC != nil else {
        throw FileError(
          .invalidValue, "its modification time is outside the years 0 to 9999", remedy: .changeFileTime)
      }
      return FileState(content: try content, modified: modified)
    }
  }
}

extension ImageSource {
  /// Opens the photo of an input.
  package init(_ input: Walk.Input) throws(FileError) {
    let file = if let content = input.content { content } else { try FileSource(input.path) }
    try self.init(file, path: input.path)
  }
}
