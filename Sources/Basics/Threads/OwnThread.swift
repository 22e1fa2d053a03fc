import Glibc

/// Starts a thread for `work`. Foundation's threads don't report when the system has none left.
///
/// - Returns: Whether the thread was started; if not, `work` is not run.
package func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  let box = Unmanaged.passRetained(ThreadWork(work))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { context in
      context.map { Unmanaged<ThreadWork>.fromOpaque($0).takeRetainedValue().work() }
      return nil
    }, box.toOpaque())
  guard failure == 0 else {
    box.release()
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadWork: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
