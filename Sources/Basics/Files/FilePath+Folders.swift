package import Glibc
package import SystemPackage

/// Creation of folders.
extension FilePath {
  /// Creates a folder here, and its missing parents, with `mode` less the process's mask.
  /// - Parameter name: What the folder is called in errors, such as "the trash".
  package func createFolder(mode: mode_t, called name: String) throws(FileError) {
    let system = FileSystems.current
    guard withPlatformString({ system.mkdir($0, mode) }) != 0, errno != EEXIST else { return }
    let (error, parent) = (errno, removingLastComponent())
    guard error == ENOENT, parent != self, !parent.isEmpty else {
      throw FileError(errno: error, doing: "create \(name) \(self)")
    }
    try parent.createFolder(mode: mode, called: name)
    guard withPlatformString({ system.mkdir($0, mode) }) == 0 || errno == EEXIST else {
      throw FileError(errno: errno, doing: "create \(name) \(self)")
    }
  }
}
