import Dispatch
import Synchronization

/// Returns the result of `work`, which may block: on the disk, on another process, on a lock. It runs on a thread of its own,
/// so that neither the caller's actor nor one of Swift's threads, of which there is one per processor, waits for it. The task
/// stays the same: its priority, and whether it is cancelled.
package func offloading<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value {
  await withTaskExecutorPreference(BlockingThreads.shared) { await off(work) }
}

@concurrent
private func off<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value { work() }

/// An executor for work that blocks. It has as many threads as there are jobs at the same time; a thread ends after some idle
/// seconds.
final class BlockingThreads: TaskExecutor {
  static let shared = BlockingThreads()

  private struct State {
    var jobs: [UnownedJob] = []
    /// The threads that wait for a job.
    var idle = 0
  }

  private let state = Mutex(State())
  private let isThere = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isServed = state.withLock { state in
      state.jobs.append(job)
      return state.jobs.count <= state.idle
    }
    isThere.signal()
    if isServed || startThread({ self.serve() }) { return }
    // The system has no thread left. Dispatch has some.
    DispatchQueue.global().async {
      self.isThere.wait()
      self.runNext(wasIdle: false)
    }
  }

  private func serve() {
    while true {
      state.withLock { $0.idle += 1 }
      while isThere.wait(timeout: .now() + 5) == .timedOut {
        let isNeeded = state.withLock { state in
          // With a job, its signal comes.
          guard state.jobs.isEmpty else { return true }
          state.idle -= 1
          return false
        }
        guard isNeeded else { return }
      }
      runNext(wasIdle: true)
    }
  }

  private func runNext(wasIdle: Bool) {
    let job = state.withLock { state in
      if wasIdle { state.idle -= 1 }
      return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
    }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
