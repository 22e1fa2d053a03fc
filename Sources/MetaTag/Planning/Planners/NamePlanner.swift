/// The names of a position and their source.
public struct NamedPlace: Hashable, Sendable {
  /// The names; none if nothing is known about the position.
  package var names: PlaceNames
  /// The source in words, for example the distance of the town.
  package var basis: String

  /// Creates names with their source.
  package init(_ names: PlaceNames, basis: String) {
    self.names = names
    self.basis = basis
  }
}

/// Gives photos the names of the place where they were taken. The recorded position stays.
package struct NamePlanner: Planner {
  /// Returns the names of a position, as far as its error permits. The same position must give the same names.
  package var lookUp: @Sendable (Location) -> NamedPlace
  /// Whether to replace existing names.
  package var overwrite = Overwrite.keep
  /// Whether to write the names also for the place that the picture shows.
  package var namesPlaceShown = false
  /// Whether to write IPTC IIM also to photos that have none.
  package var addsIPTC = false

  /// Creates a planner that keeps existing names.
  package init(lookUp: @escaping @Sendable (Location) -> NamedPlace) { self.lookUp = lookUp }

  /// Proposes the names of the recorded position.
  package func propose(for metadata: Metadata) -> Proposal {
    guard let location = metadata.location else { return .skip(metadata.lackOfPlace) }
    let place = lookUp(location)
    if overwrite != .replace, let kept = metadata.placeNames.first?.value {
      return .unchanged(place.names.isAnotherPlace(than: kept) ? .hasOtherNames(kept, than: place.names) : .hasNames)
    }
    guard !place.names.isEmpty else { return .skip(.unknownPlace) }
    return .change(naming(MetadataEdit(), place), because: .named(place))
  }

  /// Returns the edit with the names added.
  func naming(_ edit: MetadataEdit, _ place: NamedPlace) -> MetadataEdit {
    var edit = edit
    edit.names = .set(place.names)
    edit.namesPlaceShown = namesPlaceShown
    edit.addsIPTC = addsIPTC
    return edit
  }
}

/// Gives photos that get a position the names of that position, in the same change.
///
/// Names of a photo without a position are its owner's and stay unless they may be replaced. If a position is replaced,
/// its names become wrong, so they are always replaced, or removed if nothing is known about the new position. A photo
/// that keeps its position gets the names of that.
package struct PlaceAndNamePlanner: Planner {
  /// The planner that proposes the position.
  package var place: any Planner
  /// The planner that provides the names.
  package var naming: NamePlanner

  /// Creates a planner from one for positions and one for names.
  package init(_ place: any Planner, naming: NamePlanner) {
    self.place = place
    self.naming = naming
  }

  /// Proposes the position of `place` with its names.
  package func propose(for metadata: Metadata) -> Proposal {
    let proposal = place.propose(for: metadata)
    if case .unchanged(let reason) = proposal { return namingKept(metadata, reason) }
    guard case .change(let edit, let explanation) = proposal, case .set(let location) = edit.location else {
      return proposal
    }
    let isMoved = metadata.location.map { !$0.coordinate.isSame(as: location.coordinate) } ?? false
    guard isMoved || naming.overwrite == .replace || metadata.placeNames.isEmpty else { return proposal }
    let named = naming.lookUp(location)
    guard !named.names.isEmpty || isMoved else { return proposal }
    return .change(naming.naming(edit, named), because: .placedAndNamed(explanation, named))
  }

  /// Proposes the names of the position that stays for `reason`.
  private func namingKept(_ metadata: Metadata, _ reason: Reason) -> Proposal {
    switch naming.propose(for: metadata) {
    case .change(var edit, let explanation):
      edit.fillsGapsOnly = naming.overwrite != .replace
      return .change(edit, because: explanation)
    case .unchanged(.hasNames): return .unchanged(reason == .hasLocation ? .hasLocationAndNames : reason)
    case .unchanged: return .unchanged(reason)
    case .skip(let failure): return .skip(failure)
    }
  }
}

extension MetadataEdit {
  /// Metres by which a position may be corrected without a change of names.
  private static let samePlace = 100.0

  /// Whether the edit moves a photo from `old` to another place.
  func moves(_ old: Coordinate?) -> Bool {
    guard let old, case .set(let new) = location else { return false }
    return old.distance(to: new.coordinate) > MetadataEdit.samePlace
  }

  /// Returns notes about names that the edit keeps although it moves the photo away from their place, or gives the
  /// photo a position they may not belong to.
  func staleNames(of before: Metadata) -> [Note] {
    guard case .set = location, !erasesOldPlace, names == .keep else { return [] }
    let contents = moves(before.location?.coordinate) ? before.contentLocations.filter { !$0.isEmpty } : []
    let stale =
      contents.isEmpty
      ? []
      : [
        Note(
          .placeNamesKept,
          "keeps \(contents.joined(separator: ", ")) as the place of its content (IPTC ContentLocation)",
          remedy: .replaceNames)
      ]
    guard !before.placeNames.isEmpty else { return stale }
    guard let old = before.location else {
      return [Note(.placeNamesKept, "keeps its place names", remedy: .replaceNames)]
    }
    guard moves(old.coordinate) else { return [] }
    return stale + [Note(.placeNamesKept, "keeps the place names of its old location", remedy: .replaceNames)]
  }

  /// Returns notes about names of the place that the picture shows, if the edit keeps them although they aren't the new
  /// ones: the picture may show another place than where it was taken.
  func namesShownStaying(in after: Metadata?) -> [Note] {
    guard let wanted = wantedNames, !wanted.isEmpty, !erasesPlaces, let after else { return [] }
    let others = after.namesShown.map(\.value).filter { !$0.isPart(of: wanted) }
    return Set(others.map(\.description)).sorted().map { other in
      Note(.placeNamesKept, "keeps \(other) as the place shown", remedy: .replaceShownNames)
    }
  }
}

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
