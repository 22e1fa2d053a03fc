import Foundation
package import SystemPackage

/// Puts the photos of several photographers at the position of each one's own track.
package struct PerCameraPlanner: Planner {
  /// Some cameras with the planner for their photos.
  package struct Part: Sendable {
    /// The cameras; nil for all that no other part names.
    package let camera: CameraName?
    /// The planner that places their photos.
    package var planner: GeotagPlanner

    /// Creates a part in which `planner` places the photos taken by `camera`.
    package init(_ camera: CameraName?, _ planner: GeotagPlanner) {
      self.camera = camera
      self.planner = planner
    }
  }

  /// The parts, in any order.
  package var parts: [Part]
  /// The cameras of movies that don't name their camera, as far as known.
  package var movies: [FilePath: CameraMovie] = [:]

  /// Creates a planner that uses for each photo the one part that names its camera, otherwise the part without a
  /// camera.
  package init(_ parts: [Part]) { self.parts = parts }

  /// Proposes the change of the part that contains `metadata`'s camera.
  package func propose(for metadata: Metadata) -> Proposal {
    do throws(Reason) {
      return parts[try index(for: metadata)].planner.propose(for: metadata)
    } catch {
      return .skip(error)
    }
  }

  /// Returns the planner for one photo. `run` is the run that moved its dates before; `isPlaced` means that an earlier
  /// run placed it by its present dates.
  package func planner(of path: FilePath, datedBy run: RunID?, isPlaced: Bool = false) -> PerCameraPlanner {
    var own = self
    if let movie = movies[path], let index = try? index(for: movie.camera) {
      own.parts = [Part(nil, parts[index].planner)]
      own.parts[0].planner.unnamed = CameraBody(of: movie.camera)
      own.parts[0].planner.movieReading = movie.reading(by: parts[index].planner)
    }
    for index in own.parts.indices {
      (own.parts[index].planner.dated, own.parts[index].planner.isPlacedAsDated) = (run, isPlaced)
    }
    return own
  }

  /// Returns the index of the part for a photo.
  /// - Throws: `Reason` when no part fits, or when several name its camera equally well.
  package func index(for metadata: Metadata) throws(Reason) -> Int {
    let fits = parts.map { $0.camera?.fit(metadata) }
    let best = fits.compactMap(\.self).max()
    let named = parts.indices.filter { best != nil && fits[$0] == best }
    guard named.count < 2 else {
      throw .severalTracksOfCamera(named.compactMap { parts[$0].camera?.text }.sorted())
    }
    guard let index = named.first ?? parts.firstIndex(where: { $0.camera == nil }) else {
      throw .noTrackOfCamera(metadata.cameraName)
    }
    return index
  }
}

extension PerCameraPlanner {
  /// The knowledge that the planners of all parts got from the photos of a run.
  package struct Learned: Codable, Sendable {
    fileprivate struct Movie: Codable {
      /// In base64, because it may not be UTF-8.
      let path: Data
      let movie: CameraMovie
    }

    fileprivate let parts: [GeotagPlanner.Learned]
    fileprivate let movies: [Movie]
  }

  /// The knowledge of the planners of all parts.
  package var learned: Learned {
    Learned(
      parts: parts.map(\.planner.learned),
      movies: movies.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map { path, movie in
        Learned.Movie(path: Data(path.bytes), movie: movie)
      })
  }

  /// Takes over what planners with the same tracks and options learned.
  /// - Throws: `FileError` if they had other parts.
  package mutating func adopt(_ learned: Learned) throws(FileError) {
    guard learned.parts.count == parts.count else {
      throw FileError(.malformed, "was made with \(learned.parts.count) tracks, and there are \(parts.count)")
    }
    for (index, part) in learned.parts.enumerated() { parts[index].planner.learned = part }
    movies = Dictionary(learned.movies.map { (FilePath(bytes: Array($0.path)), $0.movie) }) { first, _ in first }
  }
}
