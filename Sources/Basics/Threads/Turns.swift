import Dispatch
import Synchronization

/// A limited number of places for work that takes much memory or a processor. Of those who wait, the one with the highest
/// priority gets the next place; of several, the one that came first.
package final class Turns: Sendable {
  private struct Waiter {
    let number: Int
    let priority: TaskPriority
    /// Receives whether it got a place; false if its task was cancelled.
    let resume: @Sendable (Bool) -> Void
  }

  private struct State {
    var free: Int
    var last = 0
    var waiting: [Waiter] = []
  }

  private let state: Mutex<State>

  /// Creates places, at least one.
  package init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

  /// Waits for a place, for a thread that may block. The caller passes it on with `release`.
  package func wait() {
    let isGranted = DispatchSemaphore(value: 0)
    enqueue(number(), Task.currentPriority, unless: { false }) { _ in isGranted.signal() }
    isGranted.wait()
  }

  /// Waits for a place without blocking a thread, then runs work that blocks on a thread of its own.
  /// - Throws: At once when the task is cancelled while it waits.
  package func offload<Value: Sendable>(_ work: @Sendable () -> Value) async throws(CancellationError) -> Value {
    // All of it runs there: one of Swift's threads, all of which may be in `wait`, isn't needed to use or to pass on a place.
    try await withTaskExecutorPreference(BlockingThreads.shared) { () async throws(CancellationError) in
      try await runWhenFree(work)
    }
  }

  @concurrent
  private func runWhenFree<Value: Sendable>(_ work: @Sendable () -> Value) async throws(CancellationError) -> Value {
    try await take()
    defer { release() }
    return work()
  }

  private func take() async throws(CancellationError) {
    let number = number()
    let isGranted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(number, Task.currentPriority, unless: { Task.isCancelled }) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      leave(number)
    }
    guard isGranted else { throw CancellationError() }
  }

  /// Passes the place on.
  package func release() {
    let next = state.withLock { state -> Waiter? in
      // The first of those with the highest priority.
      guard let highest = state.waiting.map(\.priority).max(),
        let index = state.waiting.firstIndex(where: { $0.priority == highest })
      else {
        state.free += 1
        return nil
      }
      return state.waiting.remove(at: index)
    }
    next?.resume(true)
  }

  /// The number of those who wait.
  var waiting: Int { state.withLock(\.waiting.count) }

  private func number() -> Int {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  private func enqueue(
    _ number: Int, _ priority: TaskPriority, unless isCancelled: () -> Bool, resume: @escaping @Sendable (Bool) -> Void
  ) {
    let answer = state.withLock { state -> Bool? in
      // A task that is cancelled after this check calls `leave` after the lock is free.
      if isCancelled() { return false }
      if state.free > 0 {
        state.free -= 1
        return true
      }
      state.waiting.append(Waiter(number: number, priority: priority, resume: resume))
      return nil
    }
    if let answer { resume(answer) }
  }

  private func leave(_ number: Int) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
    waiter?.resume(false)
  }
}
