/// A named place in a condition.
package struct ConditionPlace: Sendable {
  /// The name as it was typed.
  package var name: String
  /// A point in it, from which distances are measured; nil for a country or region.
  package var center: Coordinate?
  /// Whether a position is known to lie in it, as far as its error tells.
  package var contains: @Sendable (Location) -> Bool

  /// A place with its test.
  package init(name: String, center: Coordinate?, contains: @escaping @Sendable (Location) -> Bool) {
    (self.name, self.center, self.contains) = (name, center, contains)
  }
}

extension ConditionPlace: Hashable {
  /// Of one run, in which a name means one place.
  package static func == (one: ConditionPlace, other: ConditionPlace) -> Bool { one.name == other.name }
  /// By its name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
