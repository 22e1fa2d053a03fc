import Synchronization

/// A value that is computed on first use, once for all copies of what holds it.
package final class Lazily<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  package init() {}

  /// Returns the value; other threads that need it wait while it is computed.
  package func get(_ compute: () -> Value) -> Value {
    value.withLock { value in
      if let value { return value }
      let computed = compute()
      value = computed
      return computed
    }
  }
}
