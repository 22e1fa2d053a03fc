public import SystemPackage

/// A movie that is taken for that of a camera.
public struct CameraMovie: Sendable {
  /// What a photo of the camera records.
  public let camera: Metadata
  /// That of its headers, where nothing else dates it: in UTC or on the camera's clock.
  let time: CaptureTime?
  let neighbours: MovieNeighbours

  /// Its time as its neighbours tell; nil where they don't, or it needs none of them.
  func reading(by planner: GeotagPlanner) -> ClockReading? {
    guard let time, let offset = neighbours.offset(of: time, readBy: planner) else { return nil }
    var reading = ClockReading(time: time, offset: offset, zone: .fixed(offset))
    reading.neighbours = [neighbours.before.name, neighbours.after.name]
    return reading
  }
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

  /// The offset of a movie's headers: that of the camera's clock or none, where by only one of them it was taken
  /// between its neighbours.
  func offset(of time: CaptureTime, readBy planner: GeotagPlanner) -> UTCOffset? {
    guard let first = try? planner.reading(of: before.metadata), let last = try? planner.reading(of: after.metadata)
    else { return nil }
    let (begin, end) = (min(first.instant, last.instant), max(first.instant, last.instant))
    let fitting = Set([first.offset, last.offset, .utc]).filter { offset in
      let instant = time.instant(at: offset)
      return instant.timeInterval(since: begin) >= -Self.disorder && instant.timeInterval(since: end) <= Self.disorder
    }
    return fitting.count == 1 ? fitting.first : nil
  }
}

/// The movies of a run that don't name their camera, or not which of a model it was, and whose numbers show it: they
/// lie between those of one camera's photos in the same folder, and of no other's.
public struct CameraMovies: Sendable {
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
  public init() {}

  /// Takes a photo's or a movie's name, camera and time.
  public mutating func take(_ photo: NumberedPhoto) {
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
  public var found: [FilePath: CameraMovie] {
    let sorted = photos.mapValues { $0.mapValues { $0.sorted { $0.number < $1.number } } }
    var found: [FilePath: CameraMovie] = [:]
    for movie in movies {
      let around = (sorted[movie.series] ?? [:]).compactMap { body, photos -> (CameraBody, Photo, Photo)? in
        let next = photos.partitionPoint { $0.number <= movie.photo.number }
        return next > 0 && next < photos.count ? (body, photos[next - 1], photos[next]) : nil
      }
      guard around.count == 1, let (body, before, after) = around.first, body != movie.body, movie.body.mayBe(body),
        (min(before.seconds, after.seconds) - Self.farthest...max(before.seconds, after.seconds) + Self.farthest)
          .contains(movie.photo.seconds), let sample = samples[body]
      else { continue }
      found[movie.path] = CameraMovie(
        camera: sample, time: movie.time, neighbours: MovieNeighbours(before: before.neighbour, after: after.neighbour))
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
