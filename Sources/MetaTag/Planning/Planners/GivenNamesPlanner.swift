/// Gives photos the names of a place, unless their position is known to lie elsewhere.
package struct GivenNamesPlanner: Planner {
  /// The place's names.
  package var place: NamedPlace
  /// Whether to replace existing names.
  package var overwrite = Overwrite.keep
  /// Whether a photo with a position, even an unreadable one, keeps its names: it may lie elsewhere.
  package var keepsLocated = false
  /// Returns the names of a position that lies outside the place; nil for one inside.
  package var elsewhere: @Sendable (Location) -> PlaceNames? = { _ in nil }
  /// Whether to write the names also for the place that the picture shows.
  package var namesPlaceShown = false
  /// Whether to write IPTC IIM also to photos that have none.
  package var addsIPTC = false

  /// Creates a planner that keeps existing names.
  package init(_ place: NamedPlace) { self.place = place }

  /// Proposes the given names.
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
