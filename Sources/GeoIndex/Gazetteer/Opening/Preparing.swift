import Basics
public import Foundation

/// Expanding the gazetteer in advance, for users and processes that can't write or shouldn't: in a container image, or on
/// a read-only file system.
extension Gazetteer {
  /// Expands the gazetteer into a folder, from which `openPrepared` and `openDefault` open it without writing anything.
  ///
  /// If the folder holds a valid expansion, nothing is done. Otherwise the files are written under other names (about 120
  /// MB, a few seconds), and become valid together at the end: a process that is killed leaves nothing that could be opened.
  /// The folder may be copied afterwards. It belongs to this version of the program: others expand the gazetteer
  /// themselves.
  /// - Parameters:
  ///   - folder: A folder for this purpose, created if it doesn't exist. Every user may read the files.
  ///   - gazetteer: The file `gazetteer.bin`; nil: the one that comes with the program.
  ///   - progress: As for `openDefault`.
  /// - Throws: `.cache` if the folder can't be written; `.missingGazetteer`, `.damagedGazetteer` or `.cancelled`.
  public static func prepare(
    in folder: URL, gazetteer: URL? = nil, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) {
    let resources = try resources(gazetteer)
    try resources.cache(in: folder).prepare { try resources.expand(to: $0, progress: progress) }
  }

  /// Expands the gazetteer into a folder, outside Swift's threads. Cancelling the task cancels the expansion; the error is
  /// `.cancelled` then. Otherwise like the function for threads that may block.
  public static func prepare(
    in folder: URL, gazetteer: URL? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(GeoIndexError) {
    try await offloading {
      Result { () throws(GeoIndexError) in
        try prepare(in: folder, gazetteer: gazetteer) {
          try Task.checkCancellation()
          progress($0)
        }
      }
    }.get()
  }

  /// Opens the gazetteer from a folder that `prepare` filled, in milliseconds. Nothing is written.
  /// - Parameters:
  ///   - folder: The folder, or a copy of it.
  ///   - gazetteer: The file `gazetteer.bin`; nil: the one that comes with the program.
  ///   - own: The user's own places: imports that are made later are not found.
  /// - Throws: `.notPrepared` if the folder doesn't hold a whole expansion of this gazetteer, by this version;
  ///   `.missingGazetteer` or `.damagedGazetteer`; `.userPlaces` if the list of imports can't be read.
  public static func openPrepared(
    in folder: URL, gazetteer: URL? = nil, own: UserPlaces? = nil
  ) throws(GeoIndexError) -> Gazetteer {
    let resources = try resources(gazetteer)
    guard let path = resources.cache(in: folder).prepared else {
      throw GeoIndexError(
        .notPrepared, "the gazetteer of this version is not prepared in \(folder.path)")
    }
    return try Gazetteer(resources, expandedAt: path, own: own)
  }

  /// The folder with the files that come with the program, in which `openDefault` also finds a prepared gazetteer; nil if it
  /// is missing.
  package static var resourceFolder: URL? { (try? resources(nil))?.folder }

  private static func resources(_ gazetteer: URL?) throws(GeoIndexError) -> GazetteerResources {
    if let gazetteer { return try GazetteerResources(gazetteer: gazetteer) }
    return try GazetteerResources(gazetteer: GazetteerResources.installed())
  }
}
