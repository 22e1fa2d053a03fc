/// A copy of a value that contradicts the preferred one.
public enum Conflict: Hashable, Sendable {
  /// A copy of the capture time with another civil time, or with another offset from UTC.
  case captureTime(Sourced<CaptureTime>)
  /// A copy of the location that is more than 10⁻⁵ degrees (about a metre) away.
  case location(Sourced<Location>)
  /// A copy of the place names with another name in the same field.
  case placeNames(Sourced<PlaceNames>)
}

extension Conflict: CustomStringConvertible {
  /// `photoshop:DateCreated (xmp) says another time: 2024-05-23T18:38:41`.
  public var description: String {
    switch self {
    case .captureTime(let copy): "\(copy.tag) (\(copy.namespace.rawValue)) says another time: \(copy.value)"
    case .location(let copy): "\(copy.tag) (\(copy.namespace.rawValue)) says another place: \(copy.value.coordinate)"
    case .placeNames(let copy): "\(copy.tag) (\(copy.namespace.rawValue)) has other names: \(copy.value)"
    }
  }
}

extension Metadata {
  /// The copies whose time, place or name contradicts the preferred one. A copy that is only less detailed doesn't.
  public var conflicts: [Conflict] {
    let times = captureTimes.filter { copy in captureTime.map { !$0.agrees(with: copy.value) } ?? false }
    let overruled = overruledTimes.filter { copy in !(partialDates.first?.value.contains(copy.value.civil) ?? true) }
    let places = locations.filter { copy in
      location.map { !$0.coordinate.isSame(as: copy.value.coordinate) } ?? false
    }
    let names = placeNames.dropFirst().filter { copy in !(placeNames.first?.value.agrees(with: copy.value) ?? true) }
    return (times + overruled).map { .captureTime($0) } + places.map { .location($0) } + names.map { .placeNames($0) }
  }
}

extension CaptureTime {
  fileprivate func agrees(with other: CaptureTime) -> Bool {
    civil == other.civil && (offset == nil || other.offset == nil || offset == other.offset)
  }
}
