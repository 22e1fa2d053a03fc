package import SystemPackage

/// A movie that is attributed to a camera.
package struct CameraMovie: Sendable {
  /// The metadata of a photo of the camera.
  package let camera: Metadata
  /// Whether the movie itself names the same camera.
  package let namesIt: Bool
  /// The time in the movie's headers if nothing else dates it; in UTC or on the camera's clock.
  let time: CaptureTime?
  let neighbours: MovieNeighbours

  /// Returns the movie's time as its neighbours determine it, or the failure that no reading lies between them. Nil if
  /// they don't decide, or if the movie doesn't need them. If the camera's zone is UTC, so are the headers.
  func reading(by planner: GeotagPlanner) -> MovieReading? {
    guard let time, let fitting = neighbours.offsets(of: time, readBy: planner), fitting.count < 2 else { return nil }
    let names = [neighbours.before.name, neighbours.after.name]
    guard let offset = fitting.first else {
      return planner.clock.zone == .fixed(.utc)
        ? nil : MovieReading(time: time, result: .failure(.strayHeader(time, between: names)))
    }
    var reading = ClockReading(time: time, offset: offset, zone: .fixed(offset))
    reading.neighbours = names
    return MovieReading(time: time, result: .success(reading))
  }
}

/// The reading of a movie that is dated only by its headers, or the reason for its absence.
struct MovieReading: Sendable {
  let time: CaptureTime
  let result: Result<ClockReading, Reason>
}

/// The photos of the movie's camera that are numbered directly before and after it.
struct MovieNeighbours: Sendable {
  /// The part of a photo's metadata that determines when it was taken.
  struct Photo: Sendable {
    let name: String
    let metadata: Metadata

    init(_ photo: NumberedPhoto) {
      name = photo.path.lastComponent?.string ?? ""
      var own = Metadata()
      (own.make, own.model, own.serialNumber) = (
        photo.metadata.make, photo.metadata.model, photo.metadata.serialNumber
      )
      (own.captureTimes, own.locations) = (photo.metadata.captureTimes, photo.metadata.locations)
      metadata = own
    }
  }

  let before: Photo
  let after: Photo

  /// Seconds by which a movie may be numbered out of order. Headers may also record the end of the movie.
  private static let disorder = 300.0

  /// Returns the offsets at which the movie was taken between its neighbours. The candidates are the offsets of the
  /// neighbours, UTC and the offset of the camera's zone. Nil if a neighbour's instant is unknown.
  func offsets(of time: CaptureTime, readBy planner: GeotagPlanner) -> Set<UTCOffset>? {
    guard let first = try? planner.reading(of: before.metadata), let last = try? planner.reading(of: after.metadata)
    else { return nil }
    let (begin, end) = (min(first.instant, last.instant), max(first.instant, last.instant))
    let given = planner.clock.zone.flatMap { try? planner.clock.offset(of: time.civil, in: $0) }
    return Set([first.offset, last.offset, .utc, given ?? .utc]).filter { offset in
      let instant = time.instant(at: offset)
      return instant.timeInterval(since: begin) >= -Self.disorder && instant.timeInterval(since: end) <= Self.disorder
    }
  }
}

/// The movies of a run that can be attributed to a camera by their numbers: each lies between the photos of exactly one
/// camera in the same folder. Contains movies that don't name their camera, or not which body of a model it was, and
/// movies that do but are dated only by their headers.
package struct CameraMovies: Sendable {
  private struct Series: Hashable {
    let folder: FilePath
    let prefix: [UInt8]
  }

  /// A photo of the run. There is one for each, so it is small.
  private struct Photo {
    let number: Int
    /// Seconds since 1970 on the camera's clock.
    let seconds: Int64
    let index: Int
  }

  private var photos: [Series: [CameraBody: [Photo]]] = [:]
  private var movies: [(path: FilePath, series: Series, body: CameraBody, photo: Photo, time: CaptureTime?)] = []
  /// One photo of each camera.
  private var samples: [CameraBody: Metadata] = [:]

  /// Maximum difference in seconds between clock and headers for the same moment, as headers may be in UTC.
  private static let farthest: Int64 = 14 * 3_600

  /// Creates an empty collection.
  package init() {}

  /// Adds the name, camera and time of a photo or movie.
  /// - Parameter index: The number by which `found` asks for the photo.
  package mutating func take(_ photo: NumberedPhoto, at index: Int) {
    let metadata = photo.metadata
    guard let (prefix, number) = photo.path.lastComponent?.numbered, let time = metadata.captureTime else { return }
    let series = Series(folder: photo.path.removingLastComponent(), prefix: Self.family(prefix))
    let body = CameraBody(of: metadata)
    let member = Photo(number: number, seconds: time.civil.secondsSince1970, index: index)
    if metadata.captureTimes.first?.namespace == .quickTime {
      movies.append((photo.path, series, body, member, metadata.isDatedByHeaders && time.offset == nil ? time : nil))
    } else if metadata.model != nil {
      photos[series, default: [:]][body, default: []].append(member)
      if samples[body] == nil { samples[body] = metadata }
    }
  }

  /// Returns for each such movie a photo of its camera and the photos numbered next to it.
  /// - Parameter photo: Returns the photo that was added with an index.
  package func found(_ photo: (Int) -> NumberedPhoto?) -> [FilePath: CameraMovie] {
    let sorted = photos.mapValues { $0.mapValues { $0.sorted { $0.number < $1.number } } }
    var found: [FilePath: CameraMovie] = [:]
    for movie in movies {
      let around = (sorted[movie.series] ?? [:]).compactMap { body, photos -> (CameraBody, Photo, Photo)? in
        guard movie.body.mayBe(body) else { return nil }
        let next = photos.partitionPoint { $0.number <= movie.photo.number }
        return next > 0 && next < photos.count ? (body, photos[next - 1], photos[next]) : nil
      }
      guard around.count == 1, let (body, before, after) = around.first, body != movie.body || movie.time != nil,
        (min(before.seconds, after.seconds) - Self.farthest...max(before.seconds, after.seconds) + Self.farthest)
          .contains(movie.photo.seconds), let sample = samples[body], let first = photo(before.index),
        let last = photo(after.index)
      else { continue }
      found[movie.path] = CameraMovie(
        camera: sample, namesIt: body == movie.body, time: movie.time,
        neighbours: MovieNeighbours(before: MovieNeighbours.Photo(first), after: MovieNeighbours.Photo(last)))
    }
    return found
  }

  /// Returns one prefix for all prefixes that a camera numbers together: Canon's photos and movies, photos in either
  /// colour space.
  private static func family(_ prefix: [UInt8]) -> [UInt8] {
    switch String(decoding: prefix, as: UTF8.self).uppercased() {
    case "IMG_", "_MG_", "MVI_": Array("IMG_".utf8)
    case "DSC_", "_DSC": Array("DSC_".utf8)
    case let other: Array(other.utf8)
    }
  }
}

/// The part of a photo's metadata that determines its camera and when it was taken.
private struct CodedPhoto: Codable {
  struct Time: Codable {
    let value: CaptureTime
    let namespace: String
    let tag: String
  }

  struct Position: Codable {
    let value: Location
    let namespace: String
    let tag: String
  }

  let make: String?
  let model: String?
  let serialNumber: String?
  let times: [Time]
  let locations: [Position]

  init(_ metadata: Metadata) {
    (make, model, serialNumber) = (metadata.make, metadata.model, metadata.serialNumber)
    times = metadata.captureTimes.map { Time(value: $0.value, namespace: $0.namespace.rawValue, tag: $0.tag) }
    locations = metadata.locations.map { Position(value: $0.value, namespace: $0.namespace.rawValue, tag: $0.tag) }
  }

  var metadata: Metadata {
    var metadata = Metadata()
    (metadata.make, metadata.model, metadata.serialNumber) = (make, model, serialNumber)
    metadata.captureTimes = times.compactMap { time in
      Namespace(rawValue: time.namespace).map { Sourced(time.value, $0, tag: time.tag) }
    }
    metadata.locations = locations.compactMap { place in
      Namespace(rawValue: place.namespace).map { Sourced(place.value, $0, tag: place.tag) }
    }
    return metadata
  }
}

extension MovieNeighbours.Photo: Codable {
  private enum CodingKeys: String, CodingKey { case name, photo }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    metadata = try container.decode(CodedPhoto.self, forKey: .photo).metadata
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(CodedPhoto(metadata), forKey: .photo)
  }
}

extension CameraMovie: Codable {
  private enum CodingKeys: String, CodingKey { case camera, namesIt, time, before, after }

  /// Decodes a movie.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    camera = try container.decode(CodedPhoto.self, forKey: .camera).metadata
    namesIt = try container.decode(Bool.self, forKey: .namesIt)
    time = try container.decodeIfPresent(CaptureTime.self, forKey: .time)
    neighbours = MovieNeighbours(
      before: try container.decode(MovieNeighbours.Photo.self, forKey: .before),
      after: try container.decode(MovieNeighbours.Photo.self, forKey: .after))
  }

  /// Encodes the movie.
  package func encode(to encoder: any Encoder) throws {
    var names = Metadata()
    (names.make, names.model, names.serialNumber) = (camera.make, camera.model, camera.serialNumber)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(CodedPhoto(names), forKey: .camera)
    try container.encode(namesIt, forKey: .namesIt)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encode(neighbours.before, forKey: .before)
    try container.encode(neighbours.after, forKey: .after)
  }
}
