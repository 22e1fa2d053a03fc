import Synchronization

/// A signal that any thread can raise and all threads see.
package final class Signal: Sendable {
  private let state = Atomic(false)

  package init() {}

  package var isRaised: Bool { state.load(ordering: .relaxed) }
  package func raise() { state.store(true, ordering: .relaxed) }
}
