import Dispatch
import Synchronization

/// A value that a thread of its own works out, from now on. Where the system has no thread left, it is worked out at
/// once.
package final class Future<Value: Sendable>: Sendable {
  private let work: Mutex<(@Sendable () -> Value)?>
  private let result = Mutex<Value?>(nil)
  private let done = DispatchGroup()

  package init(_ work: @escaping @Sendable () -> Value) {
    self.work = Mutex(work)
    done.enter()
    if !startThread(bring) { bring() }
  }

  /// Lets go of what the work holds before anybody hears that it is done: a journal is free then for the next.
  private func bring() {
    let value = work.withLock { $0.take() }?()
    result.withLock { $0 = value }
    done.leave()
  }

  package var isThere: Bool { result.withLock { $0 != nil } }

  /// Waits until it is there.
  package func wait() { done.wait() }

  /// What was brought; waits for it.
  package var value: Value {
    wait()
    guard let value = result.withLock(\.self) else { preconditionFailure("done without a value") }
    return value
  }
}

/// What `work` makes, done elsewhere than where the caller stands: whoever shows something can go on meanwhile.
@concurrent
package func offloading<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value { work() }
