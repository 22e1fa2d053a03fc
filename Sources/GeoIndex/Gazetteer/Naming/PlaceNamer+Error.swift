extension PlaceNamer.Names {
  /// Returns these names without those that require a more exact position.
  /// - Parameter error: The error in metres; nil if unknown.
  func known(within error: Double?) -> PlaceNamer.Names {
    guard let error, error > PlaceNamer.Exactness.sublocation else { return self }
    var names = self
    // Without a city, `sublocation` is a sea.
    if city != nil || error > PlaceNamer.Exactness.city { names.sublocation = nil }
    if error > PlaceNamer.Exactness.city { (names.city, names.distance) = (nil, nil) }
    if error > PlaceNamer.Exactness.state { names.state = nil }
    names.inOtherForms.removeAll { form in
      ![names.sublocation, names.city].contains { $0.map(form.hasPrefix) ?? false }
    }
    return names
  }
}
