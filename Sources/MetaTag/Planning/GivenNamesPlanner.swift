/// Gives photos names of a place that were given, unless their position is known to lie elsewhere.
package struct GivenNamesPlanner: Planner {
  /// The place's names.
  package var place: NamedPlace
  /// What becomes of names that are there.
  package var overwrite = Overwrite.keep
  /// A photo that has a position, or one that can't be read, keeps its names: it may lie elsewhere.
  package var keepsLocated = false
  /// The names of a position that lies outside the place; nil for one inside.
  package var elsewhere: @Sendable (Location) -> PlaceNames? = { _ in nil }
  /// Write them for the place that the picture shows too.
  package var namesPlaceShown = false
  /// Write IPTC IIM also where there is none.
  package var addsIPTC = false

  /// The default: names that are there are kept.
  package init(_ place: NamedPlace) { self.place = place }

  /// The given names.
  package func propose(for metadata: Metadata) -> Proposal {
    if keepsLocated {
      if metadata.location != nil { return .unchanged(.hasLocation) }
      if let why = metadata.malformedPlace { return .skip(.malformedPlace(why)) }
    }
    if let location = metadata.location, let names = elsewhere(location) { return .skip(.liesElsewhere(names)) }
    if overwrite != .replace, let kept = metadata.placeNames.first?.value {
      return .unchanged(place.names.isPart(of: kept) ? .asWanted : .keepsNames(kept))
    }
    var edit = MetadataEdit()
    edit.names = .set(place.names)
    edit.namesPlaceShown = namesPlaceShown
    edit.addsIPTC = addsIPTC
    return .change(edit, because: .named(place))
  }
}
