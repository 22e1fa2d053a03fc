public import SystemPackage

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
  }

  private var photos: [Series: [CameraBody: [Photo]]] = [:]
  private var movies: [(path: FilePath, series: Series, body: CameraBody, photo: Photo)] = []
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
    let member = Photo(number: number, seconds: time.civil.secondsSince1970)
    if metadata.captureTimes.first?.namespace == .quickTime {
      movies.append((photo.path, series, body, member))
    } else if metadata.model != nil {
      photos[series, default: [:]][body, default: []].append(member)
      if samples[body] == nil { samples[body] = metadata }
    }
  }

  /// A photo of the camera of each such movie.
  public var found: [FilePath: Metadata] {
    let sorted = photos.mapValues { $0.mapValues { $0.sorted { $0.number < $1.number } } }
    var found: [FilePath: Metadata] = [:]
    for movie in movies {
      let around = (sorted[movie.series] ?? [:]).compactMap { body, photos -> (CameraBody, Photo, Photo)? in
        let next = photos.partitionPoint { $0.number <= movie.photo.number }
        return next > 0 && next < photos.count ? (body, photos[next - 1], photos[next]) : nil
      }
      guard around.count == 1, let (body, before, after) = around.first, body != movie.body, movie.body.mayBe(body),
        (min(before.seconds, after.seconds) - Self.farthest...max(before.seconds, after.seconds) + Self.farthest)
          .contains(movie.photo.seconds)
      else { continue }
      found[movie.path] = samples[body]
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
