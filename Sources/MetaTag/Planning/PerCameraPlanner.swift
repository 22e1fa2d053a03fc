package import SystemPackage

/// Puts the photos of several photographers where each one's own track was at their time.
package struct PerCameraPlanner: Planner {
  /// Some cameras, and what places their photos.
  package struct Part: Sendable {
    /// Which cameras; nil for all that no other part names.
    package let camera: CameraName?
    /// What places their photos.
    package var planner: GeotagPlanner

    /// Photos by `camera` are placed by `planner`.
    package init(_ camera: CameraName?, _ planner: GeotagPlanner) {
      self.camera = camera
      self.planner = planner
    }
  }

  /// Who placed whose photos; their order doesn't matter.
  package var parts: [Part]
  /// The movies that don't name their camera, where it is known.
  package var movies: [FilePath: CameraMovie] = [:]

  /// A photo is placed by the one part that names its camera, else by the one without a camera.
  package init(_ parts: [Part]) { self.parts = parts }

  /// What the part that `metadata`'s camera belongs to proposes.
  package func propose(for metadata: Metadata) -> Proposal {
    do throws(Reason) {
      return parts[try index(for: metadata)].planner.propose(for: metadata)
    } catch {
      return .skip(error)
    }
  }

  /// The planner of one photo, whose dates a run may have moved before, or that one placed.
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

  /// The part that places such a photo.
  /// - Throws: `Reason` when there is none, or when several name its camera equally well.
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
