import Synchronization

/// When a file system could not bring to the disk what was written. It says so once, to whoever asks first: groups that
/// are on their way side by side tell each other.
final class DiskTrouble: Sendable {
  private let log = Mutex<[(device: UInt64, error: PhotoError)]>([])

  var count: Int { log.withLock { $0.count } }

  func add(_ error: PhotoError, on device: UInt64) { log.withLock { $0.append((device, error)) } }

  /// What was said of this device first, after so many others.
  func first(on device: UInt64, after count: Int) -> PhotoError? {
    log.withLock { $0.dropFirst(count).first { $0.device == device }?.error }
  }
}
