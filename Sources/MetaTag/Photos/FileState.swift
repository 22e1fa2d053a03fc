import Glibc
import SystemPackage

/// The state of a file, by which a later change is noticed without reading pictures or sound.
struct FileState: Hashable, Sendable {
  /// The size in bytes.
  let size: Int
  /// The modification time in the file system.
  let modified: Instant
  /// The SHA-256 of all bytes except pictures, sound and trailers, in hexadecimal.
  let metadata: String

  init(size: Int, modified: Instant, metadata: String) {
    (self.size, self.modified, self.metadata) = (size, modified, metadata)
  }
}

/// The states of a photo's files when it was planned, and their new names. The plan applies only if they still match.
struct PlannedStates: Sendable {
  let states: [FilePath: FileState]
  let newNames: [FilePath: String]
  /// The sidecars that are created.
  let newSidecars: Set<FilePath>
}

extension OpenFile {
  var state: FileState {
    get throws(FileError) {
      let time = file.status.st_mtim
      let others = [0..<file.count].excluding(image.layout.imageData)
      let digest = try file.digest(others)
      let modified = Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
      guard modified.inUTC != nil else {
        throw FileError(
          .invalidValue, "its modification time is in no year that can be written", remedy: .changeFileTime)
      }
      return FileState(
        size: file.count, modified: modified,
        metadata: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
  }
}
