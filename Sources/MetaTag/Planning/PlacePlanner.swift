/// Puts photos in one given place.
public struct PlacePlanner: Planner {
  /// The place.
  public var location: Location
  /// What becomes of a location that is there. Of a place that is given nobody knows the error: it is never better.
  public var overwrite = Overwrite.keep
  /// Keep speed, track, DOP and timestamp of a replaced location.
  public var keepsCompanions = false

  /// The default: locations that are there are kept.
  public init(_ location: Location) { self.location = location }

  /// The given location.
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
  /// Why its place stays unless it may be written over; nil where there is none.
  var keptPlace: Reason? { location == nil ? malformedPlace.map { .malformedPlace($0) } : .hasLocation }

  /// Why there is no place that can be used.
  var lackOfPlace: Reason {
    malformedPlace.map { .malformedPlace($0) } ?? (isWithoutFix ? .noFix : .noLocation)
  }
}
