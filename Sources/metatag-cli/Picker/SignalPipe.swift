import Glibc
import Synchronization
import SystemPackage

/// Signals as bytes on a pipe; each byte is the number of the signal. Only one can exist in a process.
///
/// Dispatch's signal sources don't work here: on Linux they see a signal only if every thread blocks it.
struct SignalPipe: ~Copyable {
  /// The end to read from.
  let descriptor: CInt
  private let numbers: [CInt]

  private static let end = Atomic<CInt>(-1)

  /// Starts to handle the signals.
  init(_ numbers: [CInt]) throws {
    self.numbers = numbers
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SetupError("no pipe for signals: \(Errno(rawValue: errno))") }
    // A handler must not block.
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

  /// Restores the default effect of the signals.
  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    close(Self.end.exchange(-1, ordering: .relaxed))
    close(descriptor)
  }
}
