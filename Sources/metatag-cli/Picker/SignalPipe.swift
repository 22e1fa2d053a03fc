import Glibc
import Synchronization
import SystemPackage

/// Signals as bytes that can be read: each is its number. One at a time in a process.
///
/// Not Dispatch's signal sources: on Linux those see a signal only when every thread blocks it, and a thread that
/// doesn't loses it.
struct SignalPipe: ~Copyable {
  /// The end to read.
  let descriptor: CInt
  private let numbers: [CInt]

  private static let end = Atomic<CInt>(-1)

  /// Listens from now on.
  init(_ numbers: [CInt]) throws {
    self.numbers = numbers
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SetupError("no pipe for signals: \(Errno(rawValue: errno))") }
    // A handler must not wait for a reader.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    descriptor = ends[0]
    Self.end.store(ends[1], ordering: .relaxed)
    for number in numbers {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        write(SignalPipe.end.load(ordering: .relaxed), &byte, 1)
        errno = before
      }
    }
  }

  /// Listens no longer; the signals do what they do by themselves.
  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    close(Self.end.exchange(-1, ordering: .relaxed))
    close(descriptor)
  }
}
