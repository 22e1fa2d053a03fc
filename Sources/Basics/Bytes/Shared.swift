/// A value in an object of its own: one that many photos have in common, held once, or one that few of many values have.
package final class Shared<Value: Hashable & Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
