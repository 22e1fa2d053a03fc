package import SystemPackage

/// Puts photos at one given place.
public struct PlacePlanner: Planner {
  /// The place.
  public var location: Location
  /// Whether to replace an existing location. The error of a given place is unknown, so it is never better.
  public var overwrite = Overwrite.keep
  /// Whether to keep speed, track, DOP and timestamp of a replaced location.
  public var keepsCompanions = false

  /// Creates a planner that keeps existing locations.
  public init(_ location: Location) { self.location = location }

  /// Proposes the given location.
  public func propose(for metadata: Metadata) -> Proposal {
    guard metadata.location == nil || overwrite == .replace else { return .unchanged(.hasLocation) }
    if let why = metadata.malformedPlace, overwrite != .replace { return .skip(.malformedPlace(why)) }
    var edit = MetadataEdit()
    var location = location
    location.processingMethod = "MANUAL"
    edit.location = .set(location)
    edit.keepsCompanions = keepsCompanions
    return .change(edit, because: .placed)
  }
}

extension Metadata {
  /// The reason to keep the recorded place unless overwriting is allowed; nil without a recorded place.
  var keptPlace: Reason? { location == nil ? malformedPlace.map { .malformedPlace($0) } : .hasLocation }

  /// The reason why there is no usable place.
  var lackOfPlace: Reason {
    malformedPlace.map { .malformedPlace($0) } ?? (isWithoutFix ? .noFix : .noLocation)
  }
}

/// Keeps names consistent with the position: if another planner moves a photo by more than 100 m, the names of the old
/// place are replaced by those of the new one, in the fields that the photo has, or removed.
package struct NamesFollowing: Planner {
  /// The planner that proposes the position.
  package var place: any Planner
  /// Returns the names of a new position in the language of the names of the old one.
  package var follow: @Sendable (_ names: PlaceNames, _ old: Location, _ new: Location) -> PlaceNames

  /// Creates a planner that adds names to the positions of `place`.
  package init(
    _ place: any Planner,
    follow: @escaping @Sendable (_ names: PlaceNames, _ old: Location, _ new: Location) -> PlaceNames
  ) {
    self.place = place
    self.follow = follow
  }

  /// The other planner's value.
  package var isAboutPlaces: Bool { place.isAboutPlaces }
  /// The other planner's value.
  package var needsEveryPlace: Bool { place.needsEveryPlace }

  /// Proposes the other planner's change, with the change of names.
  package func propose(for metadata: Metadata) -> Proposal { named(place.propose(for: metadata), metadata) }

  /// Proposes the other planner's change of a companion, with the change of names.
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
  /// Returns these names, limited to the fields that `other` has.
  func limited(to other: PlaceNames) -> PlaceNames {
    var names = self
    for field in [\PlaceNames.sublocation, \.city, \.state, \.country, \.countryCode] where other[keyPath: field] == nil
    {
      names[keyPath: field] = nil
    }
    return names
  }
}
