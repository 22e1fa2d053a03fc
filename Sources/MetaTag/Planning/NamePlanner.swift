/// What a position is called, and how that is known.
public struct NamedPlace: Hashable, Sendable {
  /// Its names; none where nothing is known of it.
  package var names: PlaceNames
  /// In words: how far the town is, say.
  package var basis: String

  /// Names, and what they rest on.
  package init(_ names: PlaceNames, basis: String) {
    self.names = names
    self.basis = basis
  }
}

/// Gives photos the names of the place where they were taken. The position that is recorded stays.
package struct NamePlanner: Planner {
  /// The names of a position, as far as its error lets them be known: the same position has the same names.
  package var lookUp: @Sendable (Location) -> NamedPlace
  /// What becomes of names that are there.
  package var overwrite = Overwrite.keep
  /// Write them for the place that the picture shows too.
  package var namesPlaceShown = false
  /// Write IPTC IIM also where there is none.
  package var addsIPTC = false

  /// The default: names that are there are kept.
  package init(lookUp: @escaping @Sendable (Location) -> NamedPlace) { self.lookUp = lookUp }

  /// The names of the recorded position.
  package func propose(for metadata: Metadata) -> Proposal {
    guard let location = metadata.location else { return .skip(metadata.lackOfPlace) }
    let place = lookUp(location)
    if overwrite != .replace, let kept = metadata.placeNames.first?.value {
      return .unchanged(place.names.isAnotherPlace(than: kept) ? .hasOtherNames(kept, than: place.names) : .hasNames)
    }
    guard !place.names.isEmpty else { return .skip(.unknownPlace) }
    return .change(naming(MetadataEdit(), place), because: .named(place))
  }

  /// The same edit, and the names.
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
/// Names that a photo without position has are its owner's, and stay unless they may be replaced; names of a position
/// that is left are wrong now, and are replaced whatever becomes of others: where nothing is known of the new one,
/// removed. A photo that keeps its position gets the names of that.
package struct PlaceAndNamePlanner: Planner {
  /// What proposes the position.
  package var place: any Planner
  /// What names it.
  package var naming: NamePlanner

  /// Positions by one planner, names by another.
  package init(_ place: any Planner, naming: NamePlanner) {
    self.place = place
    self.naming = naming
  }

  /// The position that `place` proposes, and its names.
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

  /// The names of the position that stays for `reason`.
  private func namingKept(_ metadata: Metadata, _ reason: Reason) -> Proposal {
    switch naming.propose(for: metadata) {
    case .change(var edit, let explanation):
      edit.fillsGapsOnly = naming.overwrite != .replace
      return .change(edit, because: explanation)
    case .unchanged(.hasNames): return .unchanged(reason == .hasLocation ? .hasLocationAndNames : reason)
    case .unchanged: return .unchanged(reason)
    case .skip(let lack): return .skip(lack)
    }
  }
}

extension MetadataEdit {
  /// Metres. A position may be put right by less, and keep its names.
  private static let samePlace = 100.0

  /// Whether a photo that was taken at `old` is said to be from another place.
  func moves(_ old: Coordinate?) -> Bool {
    guard let old, case .set(let new) = location else { return false }
    return old.distance(to: new.coordinate) > MetadataEdit.samePlace
  }

  /// What to tell of names that the edit leaves, though it moves the photo away from what they name, or gives it a
  /// position that they need not be the names of.
  func staleNames(of before: Metadata) -> [String] {
    guard case .set = location, !erasesOldPlace, names == .keep else { return [] }
    let contents = moves(before.location?.coordinate) ? before.contentLocations.filter { !$0.isEmpty } : []
    let stale =
      contents.isEmpty
      ? []
      : [
        "still says that its content is about \(contents.joined(separator: ", ")) (IPTC ContentLocation); 'metatag name "
          + "--overwrite replace' removes what is not of its new place"
      ]
    guard !before.placeNames.isEmpty else { return stale }
    guard let old = before.location else {
      return ["keeps the names of a place that it had; 'metatag name --overwrite replace' renews them"]
    }
    guard moves(old.coordinate) else { return [] }
    return stale + ["keeps the names of the place where it was; 'metatag name --overwrite replace' renews them"]
  }

  /// What to tell of names of a place that the picture shows, which the edit leaves though they aren't the new ones: it
  /// may show another place than that where it was made.
  func namesShownStaying(in after: Metadata?) -> [String] {
    guard let wanted = wantedNames, !wanted.isEmpty, !erasesPlaces, let after else { return [] }
    let others = after.namesShown.map(\.value).filter { !$0.isPart(of: wanted) }
    return Set(others.map(\.description)).sorted().map { other in
      "still says that it shows \(other); 'metatag name --overwrite replace --shown' renews that"
    }
  }
}
