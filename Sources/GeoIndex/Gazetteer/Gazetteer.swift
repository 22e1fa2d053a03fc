public import Foundation
import GRDB

/// Names to places and positions to places, offline. It knows nothing of photos.
///
/// Places, names and populations are GeoNames' (CC BY 4.0): 235,000 places of about 500 people or more, regions and
/// countries, with their names in all scripts; 100,000 villages, which are no photo's town; and 28,298 airports. The
/// same question has the same answer, in the same order, every time.
public final class Gazetteer: Sendable {
  private let database: DatabaseQueue
  let names: NameIndex
  /// What the user keeps, if there is any.
  let own: UserPlaces?
  private let borders: Borders

  /// Opens the gazetteer that comes with the program.
  ///
  /// The first use expands it into `cacheDirectory` (about 120 MB, a few seconds; whoever opens it at the same time
  /// waits); from then on it opens in milliseconds. A damaged expansion is made again.
  /// - Parameters:
  ///   - cacheDirectory: a folder of the caller's own, made if it isn't there: `$XDG_CACHE_HOME/metatag`, or
  ///     `~/.cache/metatag` where that variable is not set.
  ///   - own: places of the user's own, which are found before the gazetteer's.
  ///   - progress: is told what share of an expansion is done, 0...1; is not called if none is needed. What it throws
  ///     ends the expansion, of which nothing stays.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer`, `.cache` or `.cancelled`.
  public static func openDefault(
    cacheDirectory: URL, own: UserPlaces? = nil, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) -> Gazetteer {
    guard let gazetteer = installedGazetteer else { throw GazetteerFile.missing }
    return try Gazetteer(gazetteer: gazetteer, cacheDirectory: cacheDirectory, own: own, progress: progress)
  }

  /// Opens a gazetteer made by Scripts/gazetteer. Otherwise like `openDefault`.
  /// - Parameters:
  ///   - gazetteer: the file `gazetteer.bin`.
  ///   - cacheDirectory: a folder of the caller's own, made if it isn't there.
  ///   - own: places of the user's own, which are found before the gazetteer's.
  ///   - progress: as of `openDefault`.
  public init(
    gazetteer: URL, cacheDirectory: URL, own: UserPlaces? = nil, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws(GeoIndexError) {
    self.own = own
    let file = gazetteer.path(percentEncoded: false)
    let header = try GazetteerFile.header(of: file)
    let folder = gazetteer.deletingLastPathComponent().deletingLastPathComponent().appending(path: "borders")
    let cache = Cache(directory: cacheDirectory.path(percentEncoded: false), header: header)
    let progress = { (share: Double) in
      do { try progress(share) } catch { throw GeoIndexError(.cancelled, "the gazetteer was not prepared: \(error)") }
    }
    let path = try cache.open {
      try progress(0)
      // Without borders there are names still.
      let counties = try? Counties(BorderReader.bytes(of: folder.appending(path: "counties.bin")))
      try Expansion.write(GazetteerFile(contentsOf: file), counties: counties, to: $0, progress: progress)
    }
    names = try NameIndex(contentsOf: "\(path).names")
    borders = Borders(folder: folder, towns: "\(path).towns")

    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON") }
    do {
      // Nobody changes the file: no locks, no journal to look for.
      let address = URL(filePath: "\(path).sqlite").absoluteString + "?immutable=1"
      database = try DatabaseQueue(path: address, configuration: configuration)
    } catch { throw GeoIndexError.unreadable }
  }

  /// Beside the program (a build), or where `make install` puts it.
  private static let installedGazetteer: URL? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let folder = URL(filePath: program).deletingLastPathComponent()
    return ["metatag_GeoIndex.resources/gazetteer", "../share/metatag/gazetteer"]
      .map { folder.appending(path: $0).appending(path: "gazetteer.bin").standardizedFileURL }
      .first { FileManager.default.isReadableFile(atPath: $0.path(percentEncoded: false)) }
  }()

  /// Runs one question against the database.
  func read<Answer>(_ question: (Database) throws -> Answer) throws(GeoIndexError) -> Answer {
    do { return try database.read(question) } catch { throw GeoIndexError.unreadable }
  }

  /// Borders and towns, read at the first question.
  var geography: Geography {
    get throws(GeoIndexError) { try borders.geography }
  }

  /// Which city a position lies in.
  var cityRule: CityRule {
    get throws(GeoIndexError) { try borders.cityRule }
  }

  /// Borders only: they need no database.
  var atlas: Atlas {
    get throws(GeoIndexError) { try borders.atlas }
  }

}
