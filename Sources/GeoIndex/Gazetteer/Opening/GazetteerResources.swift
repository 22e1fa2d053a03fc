import Foundation

/// The files that come with the program: the compact gazetteer, and the borders in a folder next to its own folder.
struct GazetteerResources {
  /// The folder that holds the folders of the gazetteer and of the borders.
  let folder: URL
  /// The folder of the borders.
  var borders: URL { folder.appending(path: "borders") }
  private let file: String
  private let header: GazetteerFile.Header

  /// Reads the header of the file `gazetteer.bin`.
  init(gazetteer: URL) throws(GeoIndexError) {
    file = gazetteer.path(percentEncoded: false)
    header = try GazetteerFile.header(of: file)
    folder = gazetteer.deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Returns the path of the gazetteer that comes with the program.
  static func installed() throws(GeoIndexError) -> URL {
    guard let installedGazetteer else { throw GazetteerFile.missing }
    return installedGazetteer
  }

  /// The gazetteer next to the program (a build), or where `make install` puts it.
  private static let installedGazetteer: URL? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let folder = URL(filePath: program).deletingLastPathComponent()
    return ["metatag_GeoIndex.resources/gazetteer", "../share/metatag/gazetteer"]
      .map { folder.appending(path: $0).appending(path: "gazetteer.bin").standardizedFileURL }
      .first { FileManager.default.isReadableFile(atPath: $0.path(percentEncoded: false)) }
  }()

  /// Returns the expansion of this gazetteer in a folder, whether it exists or not.
  func cache(in directory: URL) -> Cache { Cache(directory: directory.path, header: header) }

  /// Writes the expanded files.
  /// - Parameters:
  ///   - path: The common path, without file extensions.
  ///   - progress: Called with the completed share, 0...1. An error it throws cancels the work.
  func expand(to path: String, progress: (Double) throws -> Void) throws {
    func report(_ share: Double) throws {
      do { try progress(share) } catch {
        throw GeoIndexError(.cancelled, "the preparation of the gazetteer was cancelled")
      }
    }
    try report(0)
    // Names can be searched even without borders.
    let counties = try? Counties(BorderReader.bytes(of: borders.appending(path: "counties.bin")))
    let cities = (try? String(contentsOf: borders.appending(path: "cities.tsv"), encoding: .utf8)).flatMap {
      try? CityTable($0)
    }
    try Expansion.write(
      GazetteerFile(contentsOf: file), counties: counties, cities: cities, borders: try? Atlas(folder: borders),
      to: path,
      progress: report)
  }
}
