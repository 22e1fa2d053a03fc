import Glibc
public import SystemPackage

/// The tracks found at a path: a track file, a zip archive of them, or a folder.
public struct TrackReading: Sendable {
  /// A file that was skipped because it is not a track, although others are.
  public struct Passed: Sendable {
    /// The file's name.
    public let name: String
    /// Why the file was skipped.
    public let reason: FileError
  }

  /// The tracks, one per file, in the order of their names.
  public let tracks: [Track]
  /// Files in a folder or an archive that are no tracks. They are no error as long as others are tracks.
  public let passed: [Passed]

  /// Reads a track file, gzipped or not; a zip archive (including KMZ) of them; or a folder with all its subfolders.
  /// - Parameter zone: Returns the time zone of a place, for formats whose times are local.
  /// - Throws: `FileError` when nothing in it can be read as a track.
  package init(_ path: FilePath, zone: TrackZone? = nil) throws(FileError) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw FileError(errno: errno, doing: "find it") }
    var found: [(name: String, result: Result<[Track], FileError>)] = []
    if status.st_mode & S_IFMT == S_IFDIR {
      found = try TrackReading.files(in: path, zone)
    } else {
      let name = path.lastComponent?.string ?? path.string
      let source = try FileSource(path)
      if ZipArchive.recognizes(source) {
        found = try TrackReading.members(of: source, name: name, zone)
      } else {
        found = [(name, .success([try Track(SourceStream(source), name: name, zone: zone)]))]
      }
    }
    (tracks, passed) = try TrackReading.sorted(found)
  }

  private static func sorted(
    _ found: [(name: String, result: Result<[Track], FileError>)]
  ) throws(FileError) -> (tracks: [Track], passed: [Passed]) {
    var (tracks, passed): ([Track], [Passed]) = ([], [])
    for (name, result) in found {
      switch result {
      case .success(let read): tracks += read
      case .failure(let reason): passed.append(Passed(name: name, reason: reason))
      }
    }
    guard tracks.isEmpty else { return (tracks, passed) }
    guard let first = passed.first else { throw FileError(.notTrack, "contains no files") }
    throw FileError(first.reason.code, "contains no track; \(first.name): \(first.reason)", remedy: first.reason.remedy)
  }

  private static func tracks(
    in source: FileSource, name: String, _ zone: TrackZone?
  ) throws(FileError) -> [Track] {
    guard ZipArchive.recognizes(source) else { return [try Track(SourceStream(source), name: name, zone: zone)] }
    return try sorted(try members(of: source, name: name, zone)).tracks
  }

  private static func members(
    of source: FileSource, name: String, _ zone: TrackZone?
  ) throws(FileError) -> [(name: String, result: Result<[Track], FileError>)] {
    let archive = try ZipArchive(source)
    return archive.entries.filter { !$0.name.hasSuffix("/") && !$0.name.hasPrefix("__MACOSX/") }.map { entry in
      let inner = "\(name)/\(entry.name)"
      return (inner, Result { () throws(FileError) in [try Track(archive.stream(entry), name: inner, zone: zone)] })
    }
  }

  /// Reads the files of a folder and its subfolders, except hidden ones, named by their paths in the folder. Photos are
  /// counted but not read: they are often in the same folders as tracks.
  private static func files(
    in folder: FilePath, _ zone: TrackZone?
  ) throws(FileError) -> [(name: String, result: Result<[Track], FileError>)] {
    var photoCount = 0
    let inputs = Walk.files(in: [folder], recursively: true) { path in
      let isPhoto = Walk.isPhoto(path)
      photoCount += isPhoto ? 1 : 0
      return !isPhoto
    }
    var found = inputs.map { input in
      let name = input.path.name(in: folder)
      return (
        name: name,
        result: Result { () throws(FileError) in
          if let failure = input.failure { throw failure }
          return try TrackReading.tracks(in: FileSource(input.path), name: name, zone)
        }
      )
    }
    if found.count == 1, inputs[0].path == folder, let failure = inputs[0].failure { throw failure }
    if photoCount > 0 {
      let count = photoCount == 1 ? "a photo is not a track" : "\(photoCount) photos are not tracks"
      found.append((folder.lastComponent?.string ?? folder.string, .failure(FileError(.notTrack, count))))
    }
    return found
  }
}

extension FilePath {
  /// Returns the path relative to `folder`.
  fileprivate func name(in folder: FilePath) -> String {
    var rest = self
    return rest.removePrefix(folder) && !rest.isEmpty ? rest.string : string
  }
}

extension Track {
  /// Reads a track file, or all files of a zip archive or a folder, as one track.
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - zone: Returns the time zone of a place, for formats whose times are local.
  /// - Throws: `FileError` when it can't be read, is of no known format, or is broken before its first fix.
  public static func read(_ path: FilePath, zone: TrackZone? = nil) throws(FileError) -> Track {
    merged(try TrackReading(path, zone: zone).tracks)
  }
}

/// A track file, with the counts of its points.
public struct TrackSource: Hashable, Sendable {
  /// The reason why a point is not a fix.
  @nonexhaustive
  public enum Rejection: String, Sendable, CaseIterable {
    /// The point has no time.
    case noTime
    /// The point has a time of day, but no date is known for it.
    case noDate
    /// The point's time is malformed.
    case malformedTime
    /// The point's time has no time zone, and the format prescribes none.
    case noZone
    /// The point has no position, or one that is not a number or out of range.
    case noPosition
    /// The receiver itself reported that it had no fix, possibly by writing 0, 0.
    case noFix
    /// The point's dilution of precision exceeds the limit.
    case diluted
    /// The point's radius of uncertainty exceeds the limit.
    case inaccurate
    /// The point's checksum is wrong.
    case badCheckSum
    /// The point violates the rules of its format.
    case malformed

    /// Returns a phrase for `count` such points, for a report: `12 points without time`.
    public func phrase(of count: Int) -> String {
      let (points, lines) = count == 1 ? ("point", "line") : ("points", "lines")
      return switch self {
      case .noTime: "\(count) \(points) without time"
      case .noDate: "\(count) \(points) with a time of day but no date (in NMEA, RMC and ZDA have it)"
      case .malformedTime: "\(count) \(points) with a malformed time"
      case .noZone: "\(count) \(points) with a time without a zone"
      case .noPosition: "\(count) \(points) without a valid position"
      case .noFix: "\(count) \(points) without a fix or at 0, 0"
      case .diluted: "\(count) \(points) with a greater dilution of precision than allowed"
      case .inaccurate: "\(count) \(points) with a greater error than allowed"
      case .badCheckSum: "\(count) \(lines) with a wrong checksum"
      case .malformed: "\(count) malformed \(lines)"
      }
    }
  }

  /// A warning about a track.
  @nonexhaustive
  public enum Warning: Hashable, Sendable, CustomStringConvertible {
    /// This many points were earlier than the point before them; they were sorted.
    case unordered(Int)
    /// This many points have the time of another; the best one was kept.
    case sameTime(Int)
    /// This many times had no time zone; they were read as UTC, as the format prescribes.
    case withoutZone(Int)
    /// The file is truncated at this offset (after unpacking); everything before it was read.
    case brokenOff(Int)
    /// The data at this offset (after unpacking) violate the rules of the format. `fixes` is the number of fixes read
    /// before it; nothing after it was read.
    case broken(at: Int, fixes: Int)
    /// The checksum of the file is wrong.
    case damaged
    /// This many points have no time of their own: they were spread over the time span of their line, at constant
    /// speed.
    case spread(Int)
    /// These columns name no unit and were left out.
    case unknownUnits([String])
    /// The times of a table have no time zone; this is the first of them.
    case zoneUnsaid(String)
    /// The times of a table can't be read; this is the first of them.
    case timeUnread(String)
    /// This many altitudes are above the ellipsoid, not above sea level, and were left out.
    case aboveEllipsoid(Int)
    /// The times count from a start that is recorded in the file's name, read in the time zone of the place.
    case startInName(String, zone: String)
    /// There is no fix, but this many places: waypoints, or points without a time.
    case onlyPlaces(Int)
    /// There is no fix, but routes of this many points: planned ways, without times.
    case onlyRoutes(Int)

    /// The remedy; nil if there is none, or if nothing has to be done.
    public var remedy: Remedy? {
      switch self {
      case .unknownUnits: .nameUnits
      case .zoneUnsaid: .declareColumnZone
      case .timeUnread: .writeTimes
      case .onlyPlaces: .importPlaces
      case .onlyRoutes: .exportTrack
      default: nil
      }
    }

    /// The warning in a sentence, without a remedy.
    public var description: String {
      switch self {
      case .unordered(let count): "\(count) points were out of order and have been sorted by time"
      case .sameTime(let count):
        "\(count) points have the same time as another; the most precise was kept, else the last"
      case .withoutZone(let count): "\(count) times have no zone and were read as UTC, as the format prescribes"
      case .brokenOff: "the file is truncated; all points up to its end were read"
      case .broken(_, let fixes):
        "the file is corrupt: the first \(fixes == 1 ? "fix was" : "\(fixes) fixes were") read, and the rest was ignored"
      case .damaged: "the checksum of the file is wrong: some of its points may be wrong"
      case .spread(let count): "\(count) points have no time and were spaced evenly over the time span of their line"
      case .unknownUnits(let names):
        "columns without a unit left out: \(names.joined(separator: ", "))"
      case .zoneUnsaid(let time):
        "'\(time)' has no time zone"
      case .timeUnread(let time):
        "'\(time)' can't be read as a time"
      case .aboveEllipsoid(let count):
        "\(count) altitudes are relative to the ellipsoid (ELL), not to sea level, and were ignored"
      case .startInName(let start, let zone):
        "times are relative to \(start), the start in the file's name, read in the time zone of the place (\(zone))"
      case .onlyPlaces(let count):
        "no track, only \(count == 1 ? "a place" : "\(count) places") (waypoints, placemarks)"
      case .onlyRoutes(let count):
        "only a planned route of \(count) points (no times)"
      }
    }
  }

  /// The name as given, usually the file's name.
  public let name: String
  /// The name of the format.
  public let format: String
  /// The number of fixes.
  public let count: Int
  /// The numbers of points that were left out, by reason.
  public let rejected: [Rejection: Int]
  /// The warnings about the file.
  public let warnings: [Warning]
}
