@testable import SafeWriting
import Glibc
import TestSupport

/// The content of a disk, or of a disk with its cache in memory: files, and the names that lead to them.
struct DiskImage: Equatable {
  struct File: Equatable {
    var bytes: [UInt8] = []
    var attributes = Attributes()
  }

  struct Attributes: Hashable {
    var mode: mode_t = 0o600
    var owner: uid_t = 0
    var group: gid_t = 0
    var accessed = FileTime(seconds: 0, nanoseconds: 0)
    var modified = FileTime(seconds: 0, nanoseconds: 0)
    var changed = FileTime(seconds: 0, nanoseconds: 0)
    var extended: [[CChar]: [UInt8]] = [:]
  }

  /// The files by inode number.
  var files: [Int: File] = [:]
  /// The names in each folder, by the folder's inode number.
  var folders: [Int: [[UInt8]: Int]] = [1: [:]]

  /// Returns the inode number at an absolute path.
  func inode(at path: [UInt8]) -> Int? {
    var inode = 1
    for part in path.split(separator: 0x2F) {
      guard let next = folders[inode]?[Array(part)] else { return nil }
      inode = next
    }
    return inode
  }

  /// Returns the file at an absolute path.
  func file(_ path: String) -> File? { inode(at: Array(path.utf8)).flatMap { files[$0] } }

  /// Returns the names in the folder at an absolute path.
  func names(_ path: String) -> [String] {
    let names = inode(at: Array(path.utf8)).flatMap { folders[$0] } ?? [:]
    return names.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// One step by which the disk catches up with the memory. A power failure may come between any two.
  enum Step: Equatable {
    /// Bytes within one sector.
    case bytes(Int, at: Int, [UInt8])
    case shorten(Int, to: Int)
    case attributes(Int, Attributes)
    case folder(NameChange)
    /// Names that appear, change or disappear together.
    case names([NameChange])
    /// The file loses its content, as on FAT when its new name is on disk and its old one isn't.
    case lose(Int)

    var isOfBytes: Bool { if case .bytes = self { true } else { false } }
  }

  struct NameChange: Equatable {
    let folder: Int
    let name: [UInt8]
    let inode: Int?
  }

  mutating func take(_ step: Step) {
    switch step {
    case .bytes(let inode, let at, let bytes):
      files[inode, default: File()].write(bytes, at: at)
    case .shorten(let inode, let count):
      guard let file = files[inode], file.bytes.count > count else { return }
      files[inode]?.bytes.removeSubrange(count...)
    case .attributes(let inode, let attributes): files[inode, default: File()].attributes = attributes
    case .folder(let change):
      guard let inode = change.inode else { return }
      folders[inode] = [:]
      folders[change.folder]?[change.name] = inode
    case .names(let changes):
      for change in changes {
        folders[change.folder, default: [:]][change.name] = change.inode
        if let inode = change.inode, files[inode] == nil, folders[inode] == nil { files[inode] = File() }
      }
    case .lose(let inode): files[inode]?.bytes = []
    }
  }
}

extension DiskImage.File {
  /// Writes bytes; a gap before them is filled with zeros.
  mutating func write(_ new: [UInt8], at position: Int) {
    if bytes.count < position + new.count {
      bytes += [UInt8](repeating: 0, count: position + new.count - bytes.count)
    }
    bytes.replaceSubrange(position..<position + new.count, with: new)
  }
}
