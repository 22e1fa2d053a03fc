extension PlaceNamer.Names {
  /// These names without those that need a position of less error.
  /// - Parameter error: in metres; nil if it isn't known.
  func known(within error: Double?) -> PlaceNamer.Names {
    guard let error, error > PlaceNamer.Exactness.sublocation else { return self }
    var names = self
    // Without a city it is a sea.
    if city != nil || error > PlaceNamer.Exactness.city { names.sublocation = nil }
    if error > PlaceNamer.Exactness.city { (names.city, names.distance) = (nil, nil) }
    if error > PlaceNamer.Exactness.state { names.state = nil }
    names.inOtherForms.removeAll { form in
      ![names.sublocation, names.city].contains { $0.map(form.hasPrefix) ?? false }
    }
    return names
  }
}
