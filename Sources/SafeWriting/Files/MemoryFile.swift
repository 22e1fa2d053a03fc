import CSys
import Glibc

extension FileSource {
  /// Bytes that are in no file yet, as a file in memory: the child reads files only.
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
