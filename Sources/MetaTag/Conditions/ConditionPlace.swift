/// A named place in a condition.
package struct ConditionPlace: Sendable {
  /// The name as typed.
  package var name: String
  /// A point in the place from which distances are measured; nil for a country or region.
  package var center: Coordinate?
  /// Returns whether a position certainly lies in the place, considering its error.
  package var contains: @Sendable (Location) -> Bool

  /// Creates a place with its test.
  package init(name: String, center: Coordinate?, contains: @escaping @Sendable (Location) -> Bool) {
    (self.name, self.center, self.contains) = (name, center, contains)
  }
}

extension ConditionPlace: Hashable {
  /// Compares the names, as a name means one place within a run.
  package static func == (one: ConditionPlace, other: ConditionPlace) -> Bool { one.name == other.name }
  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
