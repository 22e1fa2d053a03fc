import Glibc
import Synchronization
import Testing

@testable import MetaTag

@Suite("Parallel work")
struct PipelineTests {
  @Test("Results come in the order of the inputs, whatever finishes first.", arguments: [1, 2, 7, 64])
  func order(width: Int) async {
    var results: [Int] = []
    let consumed = await orderedParallelMap(Array(0..<500), width: width) { input in
      var sum = 0  // the earlier the input, the longer the work
      for i in 0..<(500 - input) * 20 { sum &+= i }
      return sum == -1 ? -1 : input
    } consume: {
      results.append($0)
    }
    #expect(consumed == 500)
    #expect(results == Array(0..<500))
  }

  @Test("Work continues with the threads that the system has left, or one by one without any.", arguments: [0, 1, 3])
  func fewThreads(left: Int) async {
    var started = 0
    func start(_ work: @escaping @Sendable () -> Void) -> Bool {
      guard started < left else { return false }
      started += 1
      return startThread(work)
    }
    let begun = Atomic(0)
    var results: [Int] = []
    let consumed = await orderedParallelMap(
      Array(0..<500), width: 8, ahead: 4, until: { begun.load(ordering: .relaxed) >= 300 }, starting: start
    ) { input in
      begun.add(1, ordering: .relaxed)
      return input
    } consume: {
      results.append($0)
    }
    #expect(started == left)
    #expect(consumed == begun.load(ordering: .relaxed) && (300..<500).contains(consumed))
    #expect(results == Array(0..<consumed))
  }

  @Test("Cancelling begins no new work, and returns every result that was begun.")
  func cancellation() async {
    let begun = Atomic(0)
    let work = { @Sendable (input: Int) in
      begun.add(1, ordering: .relaxed)
      return input
    }
    var results: [Int] = []
    await withTaskGroup(of: [Int].self) { group in
      group.addTask {
        var results: [Int] = []
        _ = await orderedParallelMap(Array(0..<10_000), width: 4, transform: work) { output in
          results.append(output)
          if output == 100 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        return results
      }
      for await part in group { results = part }
    }
    #expect(results.count == begun.load(ordering: .relaxed))
    #expect(results.count > 100 && results.count < 10_000)
    #expect(results == Array(0..<results.count))
  }

  @Test("Less work begins ahead if results are heavy.")
  func weights() async {
    let begun = Atomic(0)
    var (results, most) = ([Int](), 0)
    _ = await orderedParallelMap(Array(0..<60), width: 2, ahead: 4, weigh: { _ in 6 }) { input in
      begun.add(1, ordering: .relaxed)
      return input
    } consume: { output in
      usleep(2_000)
      most = max(most, begun.load(ordering: .relaxed) - output)
      results.append(output)
    }
    #expect(results == Array(0..<60))
    #expect(most <= 3)
  }
}
