package import SystemPackage

/// A movie that is taken for that of a camera.
package struct CameraMovie: Sendable {
  /// The metadata of a photo of the camera.
  package let camera: Metadata
  /// Whether it records the same camera itself.
  package let namesIt: Bool
  /// That of its headers, where nothing else dates it: in UTC or on the camera's clock.
  let time: CaptureTime?
  let neighbours: MovieNeighbours

  /// Its time as its neighbours tell, or that no reading is between theirs; nil where they don't tell, or it needs none
  /// of them. A camera's zone that is UTC says that of the headers.
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

/// How a movie that only its headers date is read, or why it can't be.
struct MovieReading: Sendable {
  let time: CaptureTime
  let result: Result<ClockReading, Reason>
}

/// The photos of its camera that are numbered before and after a movie.
struct MovieNeighbours: Sendable {
  /// As much of a photo as tells when it was taken.
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

  /// Seconds by which a movie may be numbered out of order, and its headers tell its end.
  private static let disorder = 300.0

  /// The offsets of a movie's headers, of the camera's clock and none, by which it was taken between its neighbours; nil
  /// where nobody knows when these were taken.
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

/// The movies of a run that don't name their camera, or not which of a model it was, and whose numbers show it: they
/// lie between those of one camera's photos in the same folder, and of no other's. Also those that name it, where only
/// their headers date them.
package struct CameraMovies: Sendable {
  private struct Series: Hashable {
    let folder: FilePath
    let prefix: [UInt8]
  }

  private struct Photo {
    let number: Int
    /// On its clock.
    let seconds: Int64
    let neighbour: MovieNeighbours.Photo
  }

  private var photos: [Series: [CameraBody: [Photo]]] = [:]
  private var movies: [(path: FilePath, series: Series, body: CameraBody, photo: Photo, time: CaptureTime?)] = []
  /// A photo of each camera.
  private var samples: [CameraBody: Metadata] = [:]

  /// Seconds between what clock and headers show of one moment, as headers may be in UTC.
  private static let farthest: Int64 = 14 * 3_600

  /// None yet.
  package init() {}

  /// Takes a photo's or a movie's name, camera and time.
  package mutating func take(_ photo: NumberedPhoto) {
    let metadata = photo.metadata
    guard let (prefix, number) = photo.path.lastComponent?.numbered, let time = metadata.captureTime else { return }
    let series = Series(folder: photo.path.removingLastComponent(), prefix: Self.family(prefix))
    let body = CameraBody(of: metadata)
    let member = Photo(
      number: number, seconds: time.civil.secondsSince1970, neighbour: MovieNeighbours.Photo(photo))
    if metadata.captureTimes.first?.namespace == .quickTime {
      movies.append((photo.path, series, body, member, metadata.isDatedByHeaders && time.offset == nil ? time : nil))
    } else if metadata.model != nil {
      photos[series, default: [:]][body, default: []].append(member)
      if samples[body] == nil { samples[body] = metadata }
    }
  }

  /// A photo of the camera of each such movie, and those that are numbered beside it.
  package var found: [FilePath: CameraMovie] {
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
          .contains(movie.photo.seconds), let sample = samples[body]
      else { continue }
      found[movie.path] = CameraMovie(
        camera: sample, namesIt: body == movie.body, time: movie.time,
        neighbours: MovieNeighbours(before: before.neighbour, after: after.neighbour))
    }
    return found
  }

  /// Cameras number these together: Canon's photos and movies, photos in either colour space.
  private static func family(_ prefix: [UInt8]) -> [UInt8] {
    switch String(decoding: prefix, as: UTF8.self).uppercased() {
    case "IMG_", "_MG_", "MVI_": Array("IMG_".utf8)
    case "DSC_", "_DSC": Array("DSC_".utf8)
    case let other: Array(other.utf8)
    }
  }
}
