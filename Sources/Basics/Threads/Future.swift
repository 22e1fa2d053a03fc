import Dispatch
import Glibc
import Synchronization

/// A value that is computed on a thread of its own, started at once. If the system has no thread left, it is computed
/// immediately by the caller.
package final class Future<Value: Sendable>: Sendable {
  private let work: Mutex<(@Sendable () -> Value)?>
  private let result = Mutex<Value?>(nil)
  private let done = DispatchGroup()

  package init(_ work: @escaping @Sendable () -> Value) {
    self.work = Mutex(work)
    done.enter()
    if !startThread(bring) { bring() }
  }

  /// Computes the value, and releases what the work holds before the result is announced: a journal is then free for
  /// the next user.
  private func bring() {
    let value = work.withLock { $0.take() }?()
    result.withLock { $0 = value }
    done.leave()
  }

  package var isThere: Bool { result.withLock { $0 != nil } }

  /// Waits until the value is available.
  package func wait() { done.wait() }

  /// The value. Waits until it is available.
  package var value: Value {
    wait()
    guard let value = result.withLock(\.self) else { preconditionFailure("done without a value") }
    return value
  }
}

extension Future {
  /// Starts work that can fail.
  package convenience init<Success>(
    catching work: @escaping @Sendable () throws -> Success
  ) where Value == Result<Success, any Error> {
    self.init { Result { try work() } }
  }

  /// Returns the value, or throws the error of the work. Waits until the work is done.
  package func get<Success>() throws -> Success where Value == Result<Success, any Error> { try value.get() }
}

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
