@testable import Basics
import Glibc
import Synchronization
import Testing

/// Numbers that tasks add.
private final class Record: Sendable {
  private let all = Mutex<[Int]>([])
  var numbers: [Int] { all.withLock(\.self) }
  func add(_ number: Int) { all.withLock { $0.append(number) } }
}

@Suite("Turns, and work that blocks")
struct TurnsTests {
  @Test("Of those who wait, the one with the highest priority is next, then the one that came first.")
  func priorities() async throws {
    let turns = Turns(1)
    turns.wait()
    let order = Record()
    let wanted: [(Int, TaskPriority)] = [(1, .low), (2, .high), (3, .low), (4, .high)]
    var tasks: [Task<Void, any Error>] = []
    for (number, priority) in wanted {
      tasks.append(
        Task.detached(priority: priority) {
          try await turns.offload { order.add(number) }
        })
      // Until it waits.
      while turns.waiting < tasks.count { await Task.yield() }
    }
    turns.release()
    for task in tasks { try await task.value }
    #expect(order.numbers == [2, 4, 1, 3])
  }

  @Test("A cancelled task leaves the line at once, and its place goes to the others.")
  func cancelling() async throws {
    let turns = Turns(1)
    turns.wait()
    let waiting = Task { try await turns.offload {} }
    while turns.waiting < 1 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(turns.waiting == 0)
    turns.release()
    #expect(try await turns.offload { 1 } == 1)
    turns.wait()
    turns.release()
  }

  @Test("Work gets its turn even if all of Swift's threads wait for one.")
  func mixed() async throws {
    let turns = Turns(1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          if index % 2 == 0 { return try await turns.offload { usleep(100) } }
          turns.wait()
          usleep(100)
          turns.release()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Blocked work leaves Swift's threads free, and belongs to its task.")
  func offload() async {
    let all = Record()
    // More than there are processors: they wait for one another.
    let count = 64
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<count {
        group.addTask {
          await offloading {
            all.add(1)
            while all.numbers.count < count { usleep(100) }
            return !Task.isCancelled
          }
        }
      }
      for await isFine in group { #expect(isFine) }
    }
    let task = Task { await offloading { Task.isCancelled } }
    task.cancel()
    #expect(await task.value)
  }
}
