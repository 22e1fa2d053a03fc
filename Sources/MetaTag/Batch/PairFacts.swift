/// What a file says that may be half of a pair.
struct PairFacts: Sendable {
  let isMovie: Bool
  /// A Live Photo's halves have the same, and no others have it.
  let identifier: String?
  let time: CaptureTime?

  /// Seconds that lie between the readings of two clocks in the most distant zones.
  private static let widestZones: Int64 = 26 * 3_600

  /// Whether nothing they say speaks against their being one photo. Identifiers decide where there are two; else they
  /// have to be of one day, as far as that is known: a counter that began anew gives a movie the name of an older photo.
  func fits(_ other: PairFacts) -> Bool {
    if let identifier, let theirs = other.identifier { return identifier == theirs }
    guard let time, let theirs = other.time else { return true }
    return abs(time.civil.secondsSince1970 - theirs.civil.secondsSince1970) <= PairFacts.widestZones
  }
}

extension PairFacts {
  init(_ image: ImageSource) {
    isMovie = image.type.isMovie
    identifier = image.contentIdentifier
    time = image.metadata().captureTime
  }
}
