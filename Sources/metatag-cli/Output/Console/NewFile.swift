import Glibc
import MetaTag
import SystemPackage

/// A file that is being written, readable only by its owner because it contains locations and dates.
struct NewFile {
  let path: FilePath
  /// Its name in errors: "the plan".
  private let name: String
  private let file: FileDescriptor

  /// Creates the file.
  /// - Throws: `SetupError` if there is one, or if it can't be created.
  init(_ path: FilePath, called name: String) throws {
    (self.path, self.name) = (path, name)
    do {
      file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    } catch Errno.fileExists {
      throw SetupError("\(path.printable) already exists; choose another file for \(name)")
    } catch let error as Errno {
      throw SetupError("can't write \(name) \(path.printable): \(error.words)")
    }
  }

  func write(_ bytes: [UInt8]) throws {
    do { try file.writeAll(bytes) } catch let error as Errno {
      throw SetupError("can't write \(name) \(path.printable): \(error.words)")
    }
  }

  func close() throws { try file.close() }

  /// Removes the file.
  func discard() { _ = path.withPlatformString { unlink($0) } }
}
