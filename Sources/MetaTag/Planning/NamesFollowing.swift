package import SystemPackage

/// Keeps names with the position that they name: where another planner moves a photo by more than 100 m, the names of
/// the old place become those of the new one, in the fields that the photo has, or go.
package struct NamesFollowing: Planner {
  /// What proposes the position.
  package var place: any Planner
  /// The names of a new position as somebody wrote them who called the old one so: in the same language.
  package var follow: @Sendable (_ names: PlaceNames, _ old: Location, _ new: Location) -> PlaceNames

  /// Names after the positions of `place`.
  package init(
    _ place: any Planner,
    follow: @escaping @Sendable (_ names: PlaceNames, _ old: Location, _ new: Location) -> PlaceNames
  ) {
    self.place = place
    self.follow = follow
  }

  /// As the other planner.
  package var isAboutPlaces: Bool { place.isAboutPlaces }
  /// As the other planner.
  package var asksEveryPlace: Bool { place.asksEveryPlace }

  /// The other planner's proposal, and what becomes of names.
  package func propose(for metadata: Metadata) -> Proposal { named(place.propose(for: metadata), metadata) }

  /// The same for a companion.
  package func propose(for metadata: Metadata, of companion: FilePath) -> Proposal {
    named(place.propose(for: metadata, of: companion), metadata)
  }

  private func named(_ proposal: Proposal, _ metadata: Metadata) -> Proposal {
    guard case .change(var edit, let explanation) = proposal, edit.names == .keep, !edit.erasesOldPlace,
      case .set(let location) = edit.location, let old = metadata.location, edit.moves(old.coordinate),
      let names = metadata.placeNames.first?.value
    else { return proposal }
    let new = follow(names, old, location).limited(to: names)
    edit.names = new.isEmpty ? .remove : .set(new)
    return .change(edit, because: .movedNamed(explanation, from: names, to: new))
  }
}

extension PlaceNames {
  /// These names in the fields that `other` has.
  func limited(to other: PlaceNames) -> PlaceNames {
    var names = self
    for field in [\PlaceNames.sublocation, \.city, \.state, \.country, \.countryCode] where other[keyPath: field] == nil
    {
      names[keyPath: field] = nil
    }
    return names
  }
}
