/// Removes locations together with the names of places, or reduces their precision.
public struct ClearPlanner: Planner {
  /// A circular area that must stay private.
  public struct Zone: Hashable, Sendable {
    /// The center of the area.
    public let center: Coordinate
    /// The radius in metres, not below 0.
    public let radius: Double

    /// Creates a circle on the Earth. Returns nil for a radius that is negative or not finite: no place would lie in a
    /// circle with a negative one, and every location would stay.
    public init?(around center: Coordinate, radius: Double) {
      guard radius >= 0, radius.isFinite else { return nil }
      self.center = center
      self.radius = radius
    }
  }

  /// The zones in which photos are changed; if empty, all photos are changed.
  public var zones: [Zone] = []
  /// If set, the location is replaced by the center of a grid cell of this size, with its error, instead of being
  /// removed.
  package var coarseness: Coarseness?

  /// Whether the location is removed.
  public var clearsLocation = true
  /// Whether the dates are removed.
  public var clearsDates = false

  /// Whether tracks of a movie that record places along the way are removed completely.
  public var dropsTimedPlaces = false

  /// Creates a planner that removes every copy of every location.
  public init() {}

  /// True with private zones or coarse locations: a location counts whichever of the photo's pictures records it, and
  /// no precise copy may remain.
  public var needsEveryPlace: Bool { !zones.isEmpty || coarseness != nil }

  /// Proposes the removal or coarsening of the location.
  ///
  /// Without zones, removal is proposed even if no location could be read: a damaged one may still reveal the place,
  /// and the writer changes nothing if there is nothing to remove. With zones, one position in a zone is enough,
  /// including the place that the picture shows. If a position can't be read, the photo is skipped with a reason,
  /// because it may lie in a zone.
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
      // Don't keep a coarse copy of the place that the picture shows: the photo wasn't necessarily taken there.
      if !metadata.additionalPlaces.isEmpty { return .change(edit, because: .cleared) }
      return metadata.isWithoutFix ? .skip(.noFix) : .unchanged(.nothingToClear)
    }
    var location = Location(old.coordinate.coarsened(to: coarseness))
    // The distance from the center of a cell to its corner.
    location.horizontalError = (coarseness.metres * 0.71).rounded(.up)
    edit.location = .set(location)
    edit.erasesOldPlace = true
    return .change(edit, because: .coarsened(coarseness))
  }
}

/// Removes everything that describes a photo.
public struct ErasePlanner: Planner {
  /// The options for what is kept.
  package var erasure: Erasure

  /// Creates a planner that erases the same from all photos.
  package init(_ erasure: Erasure) { self.erasure = erasure }

  /// Proposes the removal. The writer changes nothing if there is nothing to remove.
  public func propose(for metadata: Metadata) -> Proposal {
    var edit = MetadataEdit()
    edit.erasure = erasure
    return .change(edit, because: .erased)
  }
}
