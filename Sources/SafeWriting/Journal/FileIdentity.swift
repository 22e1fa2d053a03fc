package import Glibc

/// A file timestamp as the file system stores it: POSIX seconds and nanoseconds.
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

  /// The current time of the clock that file systems use for timestamps.
  package static var now: FileTime {
    var time = Glibc.timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(time)
  }

  package var timespec: timespec { Glibc.timespec(tv_sec: seconds, tv_nsec: nanoseconds) }
}

extension Instant {
  /// Creates the instant that a file timestamp denotes.
  package init(_ time: FileTime) { self.init(seconds: Int64(time.seconds), nanoseconds: Int32(time.nanoseconds)) }
}

/// The values that distinguish one state of a file from every other: device, inode, size and times.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  package var size: Int
  package var modified: FileTime
  /// The inode's change time, which also moves when the name, mode or owner changes.
  package var changed: FileTime

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = FileTime(status.st_mtim)
    changed = FileTime(status.st_ctim)
  }

  /// Parses the JSON text that the journal stores.
  ///
  /// - Throws: `.malformed` for any text that `json` would not produce.
  package init(json: String) throws(FileError) {
    let isOfNumber = { (byte: UInt8) in byte == 0x2D || (0x30...0x39).contains(byte) }
    let numbers = json.utf8.split { !isOfNumber($0) }.map { String($0) ?? "" }
    let times = numbers.dropFirst(2).compactMap { Int($0) }
    guard numbers.count == 7, times.count == 5, let device = UInt64(numbers[0]), let inode = UInt64(numbers[1]) else {
      throw FileError(.damagedJournal, "the journal is damaged: a row has no valid file identity")
    }
    (self.device, self.inode, size) = (device, inode, times[0])
    modified = FileTime(seconds: times[1], nanoseconds: times[2])
    changed = FileTime(seconds: times[3], nanoseconds: times[4])
    guard self.json == json else {
      throw FileError(.damagedJournal, "the journal is damaged: \(json) is not a file identity")
    }
  }

  /// The JSON text that the journal stores.
  package var json: String {
    func text(_ time: FileTime) -> String { #"{"seconds":\#(time.seconds),"nanoseconds":\#(time.nanoseconds)}"# }
    return #"{"device":\#(device),"inode":\#(inode),"size":\#(size),"modified":\#(text(modified)),"#
      + #""changed":\#(text(changed))}"#
  }

  /// Whether the size and the modification time are those of `other`.
  func hasSizeAndTime(of other: FileIdentity) -> Bool { (size, modified) == (other.size, other.modified) }

  /// Whether `other` is the same file with the same content. Renaming changes `changed`, so that time is ignored.
  func isSameContent(as other: FileIdentity) -> Bool {
    (device, inode, size, modified) == (other.device, other.inode, other.size, other.modified)
  }
}
