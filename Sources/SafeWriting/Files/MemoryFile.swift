import CSys
import Glibc

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
