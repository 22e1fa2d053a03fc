/// The metadata of a file that decide whether it is half of a pair.
struct PairFacts: Sendable {
  let isMovie: Bool
  /// The identifier that only the two halves of a Live Photo share.
  let identifier: String?
  let time: CaptureTime?
  /// The model of the camera.
  var camera: String?

  /// The greatest difference in seconds between two clocks, in the most distant zones.
  private static let widestZones: Int64 = 26 * 3_600

  /// Whether the two files may be one photo.
  ///
  /// If both have identifiers, these decide. Otherwise their dates, as far as known, must be within 26 hours of each
  /// other, since a camera's counter may restart and give a movie the name of an older photo. Two pictures must be by
  /// the same camera; movies spell its name differently. A picture without a date doesn't fit a movie that has one: a
  /// scan may have such a name as well.
  func fits(_ other: PairFacts) -> Bool {
    if let identifier, let theirs = other.identifier { return identifier == theirs }
    if !isMovie, !other.isMovie, let camera, let theirs = other.camera, camera != theirs { return false }
    guard let time, let theirs = other.time else {
      return !isUndatedStill(of: other) && !other.isUndatedStill(of: self)
    }
    return abs(time.civil.secondsSince1970 - theirs.civil.secondsSince1970) <= PairFacts.widestZones
  }

  /// Whether this is a still without a date while the movie has one.
  func isUndatedStill(of movie: PairFacts?) -> Bool {
    guard let movie else { return false }
    return !isMovie && time == nil && movie.isMovie && movie.time != nil
  }
}

extension PairFacts {
  /// Creates the facts from a file, and from its metadata joined with that of its sidecar: a raw file's date may have
  /// been corrected there.
  init(_ image: ImageSource, _ metadata: Metadata) {
    isMovie = image.type.isMovie
    identifier = image.contentIdentifier
    time = metadata.captureTime
    camera = metadata.model
  }
}
