import Dispatch
import Synchronization

/// Work on a thread of its own, which its creator waits for.
final class Future<Value: Sendable>: Sendable {
  private let group = DispatchGroup()
  private let result = Mutex<Result<Value, any Error>?>(nil)

  init(_ work: @escaping @Sendable () throws -> Value) {
    DispatchQueue(label: "expansion").async(group: group) { [self] in
      let done = Result { try work() }
      result.withLock { $0 = done }
    }
  }

  func wait() throws -> Value {
    group.wait()
    guard let done = result.withLock({ $0 }) else { preconditionFailure("the work is done") }
    return try done.get()
  }
}
