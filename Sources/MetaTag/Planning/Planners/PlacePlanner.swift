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
