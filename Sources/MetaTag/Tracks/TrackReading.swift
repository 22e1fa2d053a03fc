import Glibc
public import SystemPackage

/// The tracks found at a path: a track file, a zip archive of them, or a folder.
public struct TrackReading: Sendable {
  /// A file that was skipped because it is no track, although others are.
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
    guard let first = passed.first else { throw FileError(.notTrack, "holds no file") }
    throw FileError(first.reason.code, "holds no track; \(first.name): \(first.reason)", remedy: first.reason.remedy)
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
      let count = photoCount == 1 ? "a photo is no track" : "\(photoCount) photos are no tracks"
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
  /// - Parameter zone: Returns the time zone of a place, for formats whose times are local.
  /// - Throws: `FileError` when it can't be read, is of no known format, or is broken before its first fix.
  public static func read(_ path: FilePath, zone: TrackZone? = nil) throws(FileError) -> Track {
    merged(try TrackReading(path, zone: zone).tracks)
  }
}
