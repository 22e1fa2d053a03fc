import Glibc
import MetaTag
import SystemPackage

/// A file that is being written, readable only by its owner because it contains locations and dates.
struct NewFile {
  let path: FilePath
  /// Its name in errors: "the plan".
  private let name: String
  private let file: FileDescriptor
  /// The path until the file is closed.
  private let ownPath: FilePath

  /// Creates the file.
  /// - Parameter isWholeAtOnce: Whether the file gets its name only when it is closed. Until then, the number of the process
  ///   and `.part` are added.
  /// - Throws: `SetupError` if there is one, or if it can't be created.
  init(_ path: FilePath, called name: String, isWholeAtOnce: Bool = false) throws {
    (self.path, self.name) = (path, name)
    ownPath = isWholeAtOnce ? FilePath(bytes: path.bytes + Array(".\(getpid()).part".utf8)) : path
    do {
      if isWholeAtOnce, path.status(followingLinks: false) != nil { throw Errno.fileExists }
      file = try FileDescriptor.open(
        ownPath, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    } catch Errno.fileExists {
      throw Self.taken(path, name)
    } catch let error as Errno {
      throw SetupError("can't write \(name) \(path.printable): \(error.words)")
    }
  }

  func write(_ bytes: [UInt8]) throws {
    do { try file.writeAll(bytes) } catch let error as Errno {
      throw SetupError("can't write \(name) \(path.printable): \(error.words)")
    }
  }

  func close() throws {
    try file.close()
    guard ownPath != path else { return }
    // Unlike a rename, a link never replaces a file that another process has created meanwhile.
    if ownPath.withPlatformString({ own in path.withPlatformString { link(own, $0) } }) == 0 { return discard() }
    guard errno != EEXIST else { throw Self.taken(path, name) }
    // FAT has no links.
    guard ownPath.withPlatformString({ own in path.withPlatformString { Glibc.rename(own, $0) } }) == 0 else {
      throw SetupError("can't write \(name) \(path.printable): \(Errno(rawValue: errno).words)")
    }
  }

  private static func taken(_ path: FilePath, _ name: String) -> SetupError {
    SetupError("\(path.printable) already exists; choose another file for \(name)")
  }

  /// Removes the file.
  func discard() { _ = ownPath.withPlatformString { unlink($0) } }
}
