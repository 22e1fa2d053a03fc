/// What a file says that may be half of a pair.
struct PairFacts: Sendable {
  let isMovie: Bool
  /// A Live Photo's halves have the same, and no others have it.
  let identifier: String?
  let time: CaptureTime?
  /// Model of the camera.
  var camera: String?

  /// Seconds that lie between the readings of two clocks in the most distant zones.
  private static let widestZones: Int64 = 26 * 3_600

  /// Whether nothing they say speaks against their being one photo. Identifiers decide where there are two; else they
  /// have to be of one day, as far as that is known: a counter that began anew gives a movie the name of an older
  /// photo. Two pictures have to be by the same camera, too; movies name theirs otherwise. Nothing ties a picture
  /// without a date to a movie that has one: a scan has a counter's name as well.
  func fits(_ other: PairFacts) -> Bool {
    if let identifier, let theirs = other.identifier { return identifier == theirs }
    if !isMovie, !other.isMovie, let camera, let theirs = other.camera, camera != theirs { return false }
    guard let time, let theirs = other.time else {
      return !isUndatedStill(of: other) && !other.isUndatedStill(of: self)
    }
    return abs(time.civil.secondsSince1970 - theirs.civil.secondsSince1970) <= PairFacts.widestZones
  }

  /// Whether this has no date where a movie of its name has one.
  func isUndatedStill(of movie: PairFacts?) -> Bool {
    guard let movie else { return false }
    return !isMovie && time == nil && movie.isMovie && movie.time != nil
  }
}

extension PairFacts {
  /// Of a file, and its sidecar: a raw file's date may have been put right there.
  init(_ photo: PhotoMetadata) {
    isMovie = photo.image.type.isMovie
    identifier = photo.image.contentIdentifier
    time = photo.metadata.captureTime
    camera = photo.metadata.model
  }
}
