import Basics
import Foundation

/// The memory that large imports occupy: the system keeps mapped whatever was read of their files, as long as it has memory.
enum ResidentMemory {
  /// The size of an index from which on it counts.
  private static let large = 100 << 20
  /// The resident memory of the process above which that of large indexes is given up.
  private static let most = 150 << 20

  /// Gives up the memory of large imports if the process has much. That takes a millisecond, and they are read again
  /// without the disk.
  static func limit(_ indexes: [PlaceIndex]) {
    let large = indexes.filter { $0.source != nil && $0.size >= Self.large }
    guard !large.isEmpty, resident > most else { return }
    for index in large { index.releaseMemory() }
  }

  /// The resident memory of the process in bytes; 0 if unknown (proc(5)).
  private static var resident: Int {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/statm") else { return 0 }
    defer { try? file.close() }
    let text = (try? file.read(upToCount: 64)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) } ?? 0
  }
}
