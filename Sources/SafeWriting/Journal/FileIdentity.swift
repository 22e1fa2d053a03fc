package import Glibc

/// A time as a file system keeps it: POSIX seconds and nanoseconds.
package struct FileTime: Hashable, Sendable {
  package let seconds: Int
  package let nanoseconds: Int

  package init(seconds: Int, nanoseconds: Int) { (self.seconds, self.nanoseconds) = (seconds, nanoseconds) }

  package init(_ time: timespec) {
    seconds = time.tv_sec
    nanoseconds = time.tv_nsec
  }

  package init(_ instant: Instant) {
    seconds = Int(instant.seconds)
    nanoseconds = Int(instant.nanoseconds)
  }

  /// What a file gets that is written now.
  package static var now: FileTime {
    var time = Glibc.timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(time)
  }

  package var timespec: timespec { Glibc.timespec(tv_sec: seconds, tv_nsec: nanoseconds) }
}

extension Instant {
  /// When the file system says it was.
  package init(_ time: FileTime) { self.init(seconds: Int64(time.seconds), nanoseconds: Int32(time.nanoseconds)) }
}

/// What tells one state of a file from every other one.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  package var size: Int
  package var modified: FileTime
  /// Of the inode: also moves when the name, mode or owner does.
  package var changed: FileTime

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = FileTime(status.st_mtim)
    changed = FileTime(status.st_ctim)
  }

  /// - Parameter json: As the journal has it.
  /// - Throws: `.malformed` for any other text.
  package init(json: String) throws(FileError) {
    let isOfNumber = { (byte: UInt8) in byte == 0x2D || (0x30...0x39).contains(byte) }
    let numbers = json.utf8.split { !isOfNumber($0) }.map { String($0) ?? "" }
    let times = numbers.dropFirst(2).compactMap { Int($0) }
    guard numbers.count == 7, times.count == 5, let device = UInt64(numbers[0]), let inode = UInt64(numbers[1]) else {
      throw FileError(.malformed, "the journal is damaged: it doesn't say which file a row is about")
    }
    (self.device, self.inode, size) = (device, inode, times[0])
    modified = FileTime(seconds: times[1], nanoseconds: times[2])
    changed = FileTime(seconds: times[3], nanoseconds: times[4])
    guard self.json == json else { throw FileError(.malformed, "the journal is damaged: \(json) is no file") }
  }

  /// As the journal has it.
  package var json: String {
    func text(_ time: FileTime) -> String { #"{"seconds":\#(time.seconds),"nanoseconds":\#(time.nanoseconds)}"# }
    return #"{"device":\#(device),"inode":\#(inode),"size":\#(size),"modified":\#(text(modified)),"#
      + #""changed":\#(text(changed))}"#
  }

  /// The same file with the same content, perhaps renamed since: renaming moves `changed`.
  func isSameContent(as other: FileIdentity) -> Bool {
    (device, inode, size, modified) == (other.device, other.inode, other.size, other.modified)
  }
}
