package import SystemPackage

/// The part of a file's metadata about its camera, time and place: enough to group files into photos, and to learn
/// clocks and zones from them without opening a file again.
package struct FileFacts: Sendable {
  /// The path of the file.
  package let path: FilePath
  /// Whether the file is a movie.
  package let isMovie: Bool
  /// Whether the file is a JPEG or HEIF file that has the ending of another picture.
  package let isMisnamedStill: Bool
  /// The identifier that only the two halves of a Live Photo share.
  package let contentIdentifier: String?
  private let kept: CompactMetadata

  /// Creates facts from what a file records.
  /// - Parameter cameras: The cameras of other facts, which are shared.
  package init(
    path: FilePath, isMovie: Bool, isMisnamedStill: Bool, contentIdentifier: String?, metadata: Metadata,
    sharing cameras: inout SharedCameras
  ) {
    (self.path, self.isMovie, self.isMisnamedStill) = (path, isMovie, isMisnamedStill)
    self.contentIdentifier = contentIdentifier
    kept = CompactMetadata(metadata, cameras.camera(of: metadata), nil)
  }

  /// The metadata, as far as they are kept.
  package var metadata: Metadata { kept.metadata }

  /// The facts that decide whether the file is half of a pair.
  var pairFacts: PairFacts {
    let metadata = metadata
    return PairFacts(
      isMovie: isMovie, isStill: isMisnamedStill, identifier: contentIdentifier, time: metadata.captureTime,
      camera: metadata.model)
  }

  fileprivate init(_ photo: Photo) throws(FileError) {
    guard !Walk.isFolder(photo.input.path) else { throw FileError(.isFolder, "is a folder, not a photo") }
    let catalog = PhotoCatalog()
    let pair = try catalog.pairFacts(of: photo)
    var cameras = SharedCameras()
    let name = photo.input.path.lastComponent.flatMap(NameParts.init)
    self.init(
      path: photo.input.path, isMovie: pair.isMovie, isMisnamedStill: pair.isStill && name?.kind == .otherPicture,
      contentIdentifier: pair.identifier,
      metadata: try catalog.metadata(of: photo), sharing: &cameras)
  }

  /// The names of cameras, each of which is kept once.
  package struct SharedCameras: Sendable {
    private var cameras: [CompactMetadata.Camera: Shared<CompactMetadata.Camera>] = [:]

    /// Creates an empty collection.
    package init() {}

    fileprivate mutating func camera(of metadata: Metadata) -> Shared<CompactMetadata.Camera> {
      let camera = CompactMetadata.Camera(
        make: metadata.make, model: metadata.model, serialNumber: metadata.serialNumber, lensModel: nil)
      let shared = cameras[camera] ?? Shared(camera)
      cameras[camera] = shared
      return shared
    }
  }
}

extension FileFacts {
  /// Reads files, each with its sidecar, up to `jobs` at once.
  package static func read(_ paths: [FilePath], jobs: Int) async -> [Result<FileFacts, FileError>] {
    var folders = PairFolders()
    let photos = paths.map { Photo.reading(alone: Walk.input(at: $0), &folders) }
    var found: [Result<FileFacts, FileError>] = []
    _ = await orderedParallelMap(photos, width: jobs) { photo in
      Result { () throws(FileError) in try FileFacts(photo) }
    } consume: {
      found.append($0)
    }
    return found
  }
}
