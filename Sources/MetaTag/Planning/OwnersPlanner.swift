/// Puts the photos of several photographers where each one's own track was at their time.
public struct OwnersPlanner: Planner {
  /// Some cameras, and what places their photos.
  public struct Part: Sendable {
    /// Which cameras; nil for all that no other part names.
    public let camera: CameraName?
    /// What places their photos.
    public var planner: GeotagPlanner

    /// Photos by `camera` are placed by `planner`.
    public init(_ camera: CameraName?, _ planner: GeotagPlanner) {
      self.camera = camera
      self.planner = planner
    }
  }

  /// Who placed whose photos; their order doesn't matter.
  public var parts: [Part]

  /// A photo is placed by the one part that names its camera, else by the one without a camera.
  public init(_ parts: [Part]) { self.parts = parts }

  /// What the part that `metadata`'s camera belongs to proposes.
  public func propose(for metadata: Metadata) -> Proposal {
    do throws(Reason) {
      return parts[try index(for: metadata)].planner.propose(for: metadata)
    } catch {
      return .skip(error)
    }
  }

  /// The part that places such a photo.
  /// - Throws: `Reason` when there is none, or when several name its camera equally well.
  public func index(for metadata: Metadata) throws(Reason) -> Int {
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
