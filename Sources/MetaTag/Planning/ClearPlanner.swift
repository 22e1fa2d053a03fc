/// Removes locations, and the names of places with them; or leaves only about where it was.
public struct ClearPlanner: Planner {
  /// A place that is to stay private.
  public struct Zone: Hashable, Sendable {
    /// Its middle.
    public let center: Coordinate
    /// In metres, not below 0.
    public let radius: Double

    /// A circle on the Earth. Nil for a radius below 0, or none: nothing would lie in it, and every place stay.
    public init?(around center: Coordinate, radius: Double) {
      guard radius >= 0, radius.isFinite else { return nil }
      self.center = center
      self.radius = radius
    }
  }

  /// Only photos in one of these are changed; of none, all.
  public var zones: [Zone] = []
  /// Instead of nothing, the middle of a cell of this size is left, and how far off that may be.
  package var coarseness: Coarseness?

  /// Whether the location goes.
  public var clearsLocation = true
  /// Whether the dates go.
  public var clearsDates = false

  /// Whether tracks of a movie that record places along the way go whole.
  public var dropsTimedPlaces = false

  /// Removes every copy of every location.
  public init() {}

  /// A place in a zone is private whichever of the photo's pictures tells it, and none may be left precise.
  public var asksEveryPlace: Bool { !zones.isEmpty || coarseness != nil }

  /// Without zones, removal also where no location could be read: what is there may be broken and still tell. The
  /// writer changes nothing where there is nothing. With zones, one position in a zone is enough, be it only of what
  /// the picture shows; and where one can't be read, nobody shall believe that the photo tells none of them.
  public func propose(for metadata: Metadata) -> Proposal {
    if !zones.isEmpty {
      let places = metadata.locations.map(\.value.coordinate) + metadata.additionalPlaces.map(\.value)
      let isPrivate = places.contains { place in zones.contains { $0.center.distance(to: place) <= $0.radius } }
      if !isPrivate {
        if let unread = metadata.unreadPlaces.first { return .skip(.unreadPlace(unread.value)) }
        guard !places.isEmpty else {
          return metadata.placeNames.isEmpty ? .unchanged(.nothingToClear) : .skip(.namesOnly)
        }
        return .unchanged(.outsideZones)
      }
    }
    var edit = MetadataEdit()
    edit.erasesDates = clearsDates
    edit.dropsTimedPlaces = dropsTimedPlaces
    guard clearsLocation else { return .change(edit, because: .datesCleared) }
    edit.location = .remove
    guard let coarseness else { return .change(edit, because: .cleared) }
    guard let old = metadata.location else {
      if let unread = metadata.unreadPlaces.first { return .skip(.unreadPlace(unread.value)) }
      // Of what the picture shows, nothing coarse is left: that it was taken there is not known.
      if !metadata.additionalPlaces.isEmpty { return .change(edit, because: .cleared) }
      return metadata.isWithoutFix ? .skip(.noFix) : .unchanged(.nothingToClear)
    }
    var location = Location(old.coordinate.coarsened(to: coarseness))
    // From the middle of a cell to its corner.
    location.horizontalError = (coarseness.metres * 0.71).rounded(.up)
    edit.location = .set(location)
    edit.erasesOldPlace = true
    return .change(edit, because: .coarsened(coarseness))
  }
}

/// Removes everything that describes a photo.
public struct ErasePlanner: Planner {
  /// What stays.
  package var erasure: Erasure

  /// The same for all.
  package init(_ erasure: Erasure) { self.erasure = erasure }

  /// Removal; the writer changes nothing where there is nothing.
  public func propose(for metadata: Metadata) -> Proposal {
    var edit = MetadataEdit()
    edit.erasure = erasure
    return .change(edit, because: .erased)
  }
}
