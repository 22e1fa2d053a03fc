import Basics
public import Foundation

/// An offline gazetteer that finds places by name or position. It is independent of photos.
///
/// Places, names and populations come from GeoNames (CC BY 4.0): 235,000 places of about 500 people or more, regions
/// and countries, with their names in all scripts; and 200,000 villages, which are never used as a photo's town. There
/// are also 8,000 second-level regions, 28,298 airports, and 12,700 lakes, mountains, islands, parks, sights and other
/// features. The same query always returns the same results in the same order.
public final class Gazetteer: Sendable {
  /// The places of the gazetteer.
  let world: PlaceIndex
  /// The places of the gazetteer, followed by the imports that there were when it was opened.
  let indexes: [PlaceIndex]
  /// The names of imports that can't be searched because their files are missing or damaged. The other sources are
  /// searched without them.
  public let damagedImports: [String]
  /// The user's own places, if there are any.
  let own: UserPlaces?
  private let borders: Borders

  /// Opens the gazetteer that comes with the program.
  ///
  /// If it was prepared in one of `preparedDirectories`, next to the folder of the gazetteer, or in `cacheDirectory`, nothing
  /// is written. Otherwise the first use expands it into `cacheDirectory` (about 120 MB, a few seconds; other processes that
  /// open it at the same time wait). From then on it opens in milliseconds. A damaged expansion is replaced.
  /// - Parameters:
  ///   - cacheDirectory: A folder reserved for the caller, created if it doesn't exist: `$XDG_CACHE_HOME/metatag`, or
  ///     `~/.cache/metatag` if that variable is not set.
  ///   - preparedDirectories: Folders that `prepare` may have filled.
  ///   - own: The user's own places: imports that are made later are not found.
  ///   - progress: Called with the completed share of an expansion, 0...1; not called if no expansion is needed. An
  ///     error it throws cancels the expansion, and nothing of it remains.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer`, `.cache` or `.cancelled`; `.userPlaces` if the list of
  ///   imports can't be read.
  public static func openDefault(
    cacheDirectory: URL, preparedDirectories: [URL] = [], own: UserPlaces? = nil,
    progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) -> Gazetteer {
    try Gazetteer(
      gazetteer: GazetteerResources.installed(), cacheDirectory: cacheDirectory,
      preparedDirectories: preparedDirectories, own: own, progress: progress)
  }

  /// Opens the gazetteer that comes with the program, outside Swift's threads. Cancelling the task cancels an expansion; the
  /// error is `.cancelled` then. Otherwise like the function for threads that may block.
  public static func openDefault(
    cacheDirectory: URL, preparedDirectories: [URL] = [], own: UserPlaces? = nil,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(GeoIndexError) -> Gazetteer {
    try await offloading {
      Result { () throws(GeoIndexError) in
        try openDefault(cacheDirectory: cacheDirectory, preparedDirectories: preparedDirectories, own: own) {
          try Task.checkCancellation()
          progress($0)
        }
      }
    }.get()
  }

  /// Opens a gazetteer written by Scripts/gazetteer/build. Otherwise like `openDefault`.
  /// - Parameters:
  ///   - gazetteer: The file `gazetteer.bin`.
  ///   - cacheDirectory: A folder reserved for the caller, created if it doesn't exist.
  ///   - preparedDirectories: As for `openDefault`.
  ///   - own: The user's own places: imports that are made later are not found.
  ///   - progress: As for `openDefault`.
  public convenience init(
    gazetteer: URL, cacheDirectory: URL, preparedDirectories: [URL] = [], own: UserPlaces? = nil,
    progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) {
    let resources = try GazetteerResources(gazetteer: gazetteer)
    let prepared = (preparedDirectories + [resources.folder]).lazy.compactMap { resources.cache(in: $0).prepared }.first
    let path =
      if let prepared { prepared } else {
        try resources.cache(in: cacheDirectory).open { try resources.expand(to: $0, progress: progress) }
      }
    try self.init(resources, expandedAt: path, own: own)
  }

  /// Opens an expanded gazetteer. `path` is that of its files, without their extensions.
  init(_ resources: GazetteerResources, expandedAt path: String, own: UserPlaces?) throws(GeoIndexError) {
    self.own = own
    let world = try PlaceIndex(contentsOf: "\(path).places")
    self.world = world
    let imports = try own?.imports(in: world) ?? OpenedImports()
    indexes = [world] + imports.indexes
    damagedImports = imports.damaged
    borders = Borders(folder: resources.borders, towns: "\(path).towns")
  }

  /// The borders and towns, loaded on first use.
  var geography: Geography {
    get throws(GeoIndexError) { try borders.geography }
  }

  /// The rule that decides which city a position lies in.
  var cityRule: CityRule {
    get throws(GeoIndexError) { try borders.cityRule }
  }

  /// The borders only, which need no database.
  var atlas: Atlas {
    get throws(GeoIndexError) { try borders.atlas }
  }
}
