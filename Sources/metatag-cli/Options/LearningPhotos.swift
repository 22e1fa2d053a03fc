import MetaTag
import SystemPackage

/// The photos of a run from which clocks and zones are learned.
enum LearningPhotos: Sendable {
  /// Files, which are read when they are needed. Those that `done` has are used as they were before.
  case files([Walk.Input], PhotoCatalog, EarlierChanges)
  /// Facts that were read before, in the order of the paths.
  case facts([FileFacts])

  /// Whether one of the files may be a movie.
  var haveMovies: Bool {
    switch self {
    case .files(let inputs, _, _): inputs.contains { $0.path.isMovie }
    case .facts(let facts): facts.contains { $0.isMovie || $0.path.isMovie }
    }
  }

  /// The photos one by one, without those that can't be read, as they were before an unfinished run.
  ///
  /// A file that isn't in memory is opened.
  var all: any Sequence<NumberedPhoto> {
    switch self {
    case .facts(let facts): return facts.lazy.map(NumberedPhoto.init)
    case .files(let inputs, let catalog, let done):
      return Photo.reading(inputs).compactMap { photo in
        (try? catalog.metadata(of: photo)).flatMap {
          done.before(NumberedPhoto(path: photo.input.path, metadata: $0))
        }
      }
    }
  }

  /// Whether they are in memory already.
  var areKept: Bool { if case .facts = self { true } else { false } }

  /// Passes each photo on, in their order, with its index; up to `jobs` are read at once.
  /// - Returns: A function that returns the photo with an index again.
  func read(
    jobs: Int, taking take: (Int, NumberedPhoto) -> Void
  ) async -> (Int) -> NumberedPhoto? {
    switch self {
    case .facts(let facts):
      for (index, facts) in facts.enumerated() { take(index, NumberedPhoto(facts)) }
      return { NumberedPhoto(facts[$0]) }
    case .files(let inputs, let catalog, let done):
      let files = Photo.reading(inputs)
      // Files that can't be read are reported later, in their turn.
      await TrackOptions.read(files, jobs, catalog) { _, _ in
      } taking: { index, photo in
        if let photo = done.before(photo) { take(index, photo) }
      }
      return { index in
        (try? catalog.metadata(of: files[index])).flatMap {
          done.before(NumberedPhoto(path: files[index].input.path, metadata: $0))
        }
      }
    }
  }
}

extension NumberedPhoto {
  fileprivate init(_ facts: FileFacts) { self.init(path: facts.path, metadata: facts.metadata) }
}

extension FilePath {
  /// Whether its extension is one of movies.
  fileprivate var isMovie: Bool { ImageType.movieExtensions.contains(`extension`?.lowercased() ?? "") }
}
