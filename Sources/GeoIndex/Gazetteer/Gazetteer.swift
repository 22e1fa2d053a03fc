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
  /// The first use expands it into `cacheDirectory` (about 120 MB, a few seconds; other processes that open it at the
  /// same time wait). From then on it opens in milliseconds. A damaged expansion is replaced.
  /// - Parameters:
  ///   - cacheDirectory: A folder reserved for the caller, created if it doesn't exist: `$XDG_CACHE_HOME/metatag`, or
  ///     `~/.cache/metatag` if that variable is not set.
  ///   - own: The user's own places: imports that are made later are not found.
  ///   - progress: Called with the completed share of an expansion, 0...1; not called if no expansion is needed. An
  ///     error it throws cancels the expansion, and nothing of it remains.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer`, `.cache` or `.cancelled`; `.userPlaces` if the list of
  ///   imports can't be read.
  public static func openDefault(
    cacheDirectory: URL, own: UserPlaces? = nil, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) -> Gazetteer {
    guard let gazetteer = installedGazetteer else { throw GazetteerFile.missing }
    return try Gazetteer(gazetteer: gazetteer, cacheDirectory: cacheDirectory, own: own, progress: progress)
  }

  /// Opens a gazetteer written by Scripts/gazetteer/build. Otherwise like `openDefault`.
  /// - Parameters:
  ///   - gazetteer: The file `gazetteer.bin`.
  ///   - cacheDirectory: A folder reserved for the caller, created if it doesn't exist.
  ///   - own: The user's own places: imports that are made later are not found.
  ///   - progress: As for `openDefault`.
  public init(
    gazetteer: URL, cacheDirectory: URL, own: UserPlaces? = nil, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) {
    self.own = own
    let file = gazetteer.path(percentEncoded: false)
    let header = try GazetteerFile.header(of: file)
    let folder = gazetteer.deletingLastPathComponent().deletingLastPathComponent().appending(path: "borders")
    let cache = Cache(directory: cacheDirectory.path(percentEncoded: false), header: header)
    let progress = { (share: Double) in
      do { try progress(share) } catch { throw GeoIndexError(.cancelled, "could not prepare the gazetteer: \(error)") }
    }
    let path = try cache.open {
      try progress(0)
      // Names can be searched even without borders.
      let counties = try? Counties(BorderReader.bytes(of: folder.appending(path: "counties.bin")))
      let cities = (try? String(contentsOf: folder.appending(path: "cities.tsv"), encoding: .utf8)).flatMap {
        try? CityTable($0)
      }
      try Expansion.write(
        GazetteerFile(contentsOf: file), counties: counties, cities: cities, borders: try? Atlas(folder: folder),
        to: $0, progress: progress)
    }
    let world = try PlaceIndex(contentsOf: "\(path).places")
    self.world = world
    let imports = try own?.imports(in: world) ?? OpenedImports()
    indexes = [world] + imports.indexes
    damagedImports = imports.damaged
    borders = Borders(folder: folder, towns: "\(path).towns")
  }

  /// The gazetteer next to the program (a build), or where `make install` puts it.
  private static let installedGazetteer: URL? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let folder = URL(filePath: program).deletingLastPathComponent()
    return ["metatag_GeoIndex.resources/gazetteer", "../share/metatag/gazetteer"]
      .map { folder.appending(path: $0).appending(path: "gazetteer.bin").standardizedFileURL }
      .first { FileManager.default.isReadableFile(atPath: $0.path(percentEncoded: false)) }
  }()

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
