/// A copy of a value that contradicts the one that is believed.
public enum Conflict: Hashable, Sendable {
  /// This copy of the capture time is another civil reading, or the same at another offset from UTC.
  case captureTime(Sourced<CaptureTime>)
  /// This copy of the location is more than 10⁻⁵ degrees (about a metre) away.
  case location(Sourced<Location>)
  /// This copy of the place's names has another name for the same field.
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
  /// Copies that say another time, place or name than the one that is believed. A copy that only knows less agrees.
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
