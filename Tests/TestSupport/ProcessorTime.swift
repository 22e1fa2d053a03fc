import Foundation
import Glibc

/// The processor time of `work` in its thread. Unlike wall-clock time, it doesn't depend on how busy the machine is. It is the
/// time without a sanitizer: with one, `METATAG_SLOWDOWN` is by how much that makes the work slower.
package func processorTime<E: Error>(_ work: () throws(E) -> Void) throws(E) -> Duration {
  let start = spent()
  try work()
  return (spent() - start) / slowdown
}

private let slowdown = sanitizerSlowdown ?? 1
private let sanitizerSlowdown = ProcessInfo.processInfo.environment["METATAG_SLOWDOWN"].flatMap { Double($0) }

/// Whether the program has a sanitizer, which needs `/proc` and doesn't work under strace.
package let hasSanitizer = sanitizerSlowdown != nil

private func spent() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
