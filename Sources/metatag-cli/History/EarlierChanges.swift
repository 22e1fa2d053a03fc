import MetaTag
import SystemPackage

/// The photos that an unfinished run of the same command already changed.
struct EarlierChanges {
  private var photos: Set<FilePath> = []
  private var runs: Set<RunID> = []
  private var earlier = EarlierPhotos()

  var isEmpty: Bool { photos.isEmpty }

  /// Adds the photos among `candidates` that have one of these files.
  /// - Parameter files: The files that `runs` changed, with symbolic links resolved.
  mutating func add(_ files: Set<FilePath>, of runs: Set<RunID>, among candidates: [Photo]) throws {
    for photo in candidates
    where ([photo.input.path] + photo.companions.map(\.path)).compactMap(\.resolved)
      .contains(where: files.contains)
    {
      photos.formUnion([photo.input.path, photo.input.path.resolved].compactMap(\.self))
    }
    self.runs.formUnion(runs)
    guard let journal = try Journal.ifAny() else { return }
    earlier = try EarlierPhotos(before: self.runs, in: journal)
  }

  /// Whether the photo at this path is done.
  func has(_ path: FilePath) -> Bool {
    !isEmpty && (photos.contains(path) || path.resolved.map(photos.contains) ?? false)
  }

  /// Returns a photo's metadata as it was before these runs; nil if unknown.
  func before(_ photo: NumberedPhoto) -> NumberedPhoto? {
    guard has(photo.path) else { return photo }
    return photo.path.resolved.flatMap(earlier.metadata).map { NumberedPhoto(path: photo.path, metadata: $0) }
  }
}
