import Glibc
import MetaTag
import SystemPackage

/// The other processes of this computer.
enum OtherProcesses {
  /// Whether one of them has a folder open, or a scratch file in it, as a run does while it changes photos there. A metatag
  /// of another user may have.
  /// - Parameter folder: Absolute, symbolic links resolved.
  static func use(_ folder: FilePath) -> Bool {
    let own = String(getpid())
    let numbers = ((try? Directory("/proc").names()) ?? []).map(\.string)
    return numbers.contains { number in
      guard number != own, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
      let files = FilePath("/proc/\(number)/fd")
      guard let descriptors = try? Directory(files).names() else { return name(of: number) == "metatag" }
      return descriptors.contains { descriptor in
        guard let path = target(of: files.appending(descriptor)) else { return false }
        let isScratch = path.lastComponent?.string.hasPrefix(".metatag-") == true
        return path == folder || isScratch && path.removingLastComponent() == folder
      }
    }
  }

  /// The path to which a symbolic link points; nil if it can't be read.
  private static func target(of link: FilePath) -> FilePath? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = link.withPlatformString { readlink($0, &bytes, bytes.count) }
    return count > 0 ? FilePath(rawBytes: bytes.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }

  /// The name of a process; nil if it has ended.
  private static func name(of number: String) -> String? {
    guard let file = try? FileDescriptor.open("/proc/\(number)/comm", .readOnly) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = (try? file.closeAfter { try bytes.withUnsafeMutableBytes { try file.read(into: $0) } }) ?? 0
    return String(decoding: bytes.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
