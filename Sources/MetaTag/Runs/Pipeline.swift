import Foundation
import Synchronization

/// Runs `transform` on up to `width` inputs in parallel and passes the results to `consume` one by one, in the order of
/// the inputs. This is the only place where work runs in parallel.
///
/// While `consume` is busy, up to `ahead` further inputs are transformed. At most `width + ahead` results wait,
/// whatever the number of inputs; fewer if `weigh` says that a result takes the room of several. When the task is
/// cancelled or `stop` returns true, no further input is started; those in progress are finished and consumed.
///
/// - Parameters:
///   - width: The number of inputs that are transformed at once; less than 1 counts as 1.
///   - ahead: The number of further results that may wait; less than 0 counts as 0.
/// - Returns: The number of inputs that were consumed.
package func orderedParallelMap<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, ahead: Int = 64, until stop: @escaping @Sendable () -> Bool = { false },
  weigh: @escaping @Sendable (Output) -> Int = { _ in 1 }, transform: @escaping @Sendable (Input) -> Output,
  consume: (Output) async -> Void
) async -> Int {
  await orderedParallelMap(
    inputs, width: width, ahead: ahead, until: stop, weigh: weigh, starting: startThread, transform: transform,
    consume: consume)
}

/// Like the function above, with threads that `start` starts. `start` returns false if no thread can be started.
func orderedParallelMap<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, ahead: Int = 64, until stop: @escaping @Sendable () -> Bool = { false },
  weigh: @escaping @Sendable (Output) -> Int = { _ in 1 }, starting start: (@escaping @Sendable () -> Void) -> Bool,
  transform: @escaping @Sendable (Input) -> Output, consume: (Output) async -> Void
) async -> Int {
  let threads = DedicatedThreads()
  let width = threads.start(min(max(1, width), inputs.count), by: start)
  guard width > 0 else {
    // No thread can be started: process the inputs one after the other.
    var consumed = 0
    while consumed < inputs.count, !Task.isCancelled, !stop() {
      let input = inputs[consumed]
      await consume(await offloading { transform(input) })
      consumed += 1
    }
    return consumed
  }
  let line = OrderedBuffer<Output>(of: inputs.count, room: width + max(0, ahead), workers: width)
  return await withTaskGroup(of: Void.self) { group in
    for _ in 0..<width {
      group.addTask(executorPreference: threads) {
        while let index = line.next(unless: { Task.isCancelled || stop() }) {
          let output = transform(inputs[index])
          line.put(output, at: index)
          // Wait for capacity *after* publishing the result; the consumer releases it, so this can't deadlock.
          line.waitForRoom(places: weigh(output) - 1)
        }
      }
    }
    var consumed = 0
    while let output = await line.take() {
      await consume(output)
      consumed += 1
      line.makeRoom(places: max(1, weigh(output)))
    }
    return consumed
  }
}

/// An executor with one thread per task. The tasks block on the disk and on other processes; on Swift's own threads,
/// one per processor, they would block everything else.
private final class DedicatedThreads: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let isThere = DispatchSemaphore(value: 0)

  /// Starts up to `count` threads, as many as the system allows, and returns their number.
  func start(_ count: Int, by start: (@escaping @Sendable () -> Void) -> Bool) -> Int {
    (0..<count).prefix { _ in
      start {
        self.isThere.wait()
        self.jobs.withLock { $0.popLast() }?.runSynchronously(on: self.asUnownedTaskExecutor())
      }
    }.count
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    isThere.signal()
  }
}

/// A buffer that hands input indices to the workers and returns their results in order.
private final class OrderedBuffer<Output: Sendable>: Sendable {
  private struct State {
    var begun = 0
    var taken = 0
    var isClosed: Bool
    var early: [Int: Output] = [:]
    var taker: CheckedContinuation<Output?, Never>?
  }

  private let count: Int
  private let workers: Int
  private let state: Mutex<State>
  /// The number of further inputs for which there is room.
  private let room = DispatchSemaphore(value: 0)

  init(of count: Int, room places: Int, workers: Int) {
    (self.count, self.workers) = (count, workers)
    state = Mutex(State(isClosed: count == 0))
    for _ in 0..<places { room.signal() }
  }

  /// Waits for room and returns the next index; nil when no further input is to be started.
  func next(unless stop: () -> Bool) -> Int? {
    room.wait()
    if stop() {
      update { $0.isClosed = true }
      // Wake the other workers, so that they see it.
      for _ in 0..<workers { room.signal() }
    }
    return state.withLock { state in
      guard !state.isClosed else { return nil }
      defer { state.begun += 1 }
      state.isClosed = state.begun + 1 == count
      return state.begun
    }
  }

  func waitForRoom(places: Int) {
    for _ in 0..<max(0, places) { room.wait() }
  }

  func makeRoom(places: Int) {
    for _ in 0..<places { room.signal() }
  }

  func put(_ output: Output, at index: Int) { update { $0.early[index] = output } }

  /// Waits for the next result; nil when none will come.
  func take() async -> Output? {
    await withCheckedContinuation { taker in update { $0.taker = taker } }
  }

  /// Applies `change`, then resumes the waiting consumer if its result is ready.
  private func update(_ change: (inout State) -> Void) {
    let recorded: (taker: CheckedContinuation<Output?, Never>, output: Output?)? = state.withLock { state in
      change(&state)
      guard let taker = state.taker else { return nil }
      let output = state.early.removeValue(forKey: state.taken)
      guard output != nil || state.isClosed && state.taken == state.begun else { return nil }
      state.taker = nil
      state.taken += 1
      return (taker, output)
    }
    recorded?.taker.resume(returning: recorded?.output)
  }
}
