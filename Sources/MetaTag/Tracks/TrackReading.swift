import Glibc
public import SystemPackage

/// What was found under the name of a track: a file, the files of a zip archive, or those of a folder.
public struct TrackReading: Sendable {
  /// Something that is no track among others that are, and why.
  public struct Passed: Sendable {
    /// The file's name.
    public let name: String
    /// Why it was passed over.
    public let reason: PhotoError
  }

  /// One track a file, in the order of their names.
  public let tracks: [Track]
  /// Files in a folder or an archive that are no tracks. They are no error as long as others are tracks.
  public let passed: [Passed]

  /// Reads a track file, gzipped or not; a zip archive (KMZ too) of them; or a folder with the files directly in it.
  /// - Throws: `PhotoError` when nothing in it can be read as a track.
  public init(_ path: FilePath) throws(PhotoError) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw PhotoError(errno: errno, doing: "find it") }
    var found: [(name: String, result: Result<[Track], PhotoError>)] = []
    if status.st_mode & S_IFMT == S_IFDIR {
      for file in try TrackReading.files(in: path) {
        let name = file.lastComponent?.string ?? file.string
        let result = Result { () throws(PhotoError) in try TrackReading.tracks(in: FileSource(file), name: name) }
        found.append((name, result))
      }
    } else {
      let name = path.lastComponent?.string ?? path.string
      let source = try FileSource(path)
      if ZipArchive.recognizes(source) {
        found = try TrackReading.members(of: source, name: name)
      } else {
        found = [(name, .success([try Track(SourceStream(source), name: name)]))]
      }
    }
    (tracks, passed) = try TrackReading.sorted(found)
  }

  private static func sorted(
    _ found: [(name: String, result: Result<[Track], PhotoError>)]
  ) throws(PhotoError) -> (tracks: [Track], passed: [Passed]) {
    var (tracks, passed): ([Track], [Passed]) = ([], [])
    for (name, result) in found {
      switch result {
      case .success(let read): tracks += read
      case .failure(let reason): passed.append(Passed(name: name, reason: reason))
      }
    }
    guard tracks.isEmpty else { return (tracks, passed) }
    guard let first = passed.first else { throw PhotoError(.unsupported, "holds no file") }
    throw PhotoError(first.reason.kind, "holds no track; \(first.name): \(first.reason)")
  }

  private static func tracks(in source: FileSource, name: String) throws(PhotoError) -> [Track] {
    guard ZipArchive.recognizes(source) else { return [try Track(SourceStream(source), name: name)] }
    return try sorted(try members(of: source, name: name)).tracks
  }

  private static func members(
    of source: FileSource, name: String
  ) throws(PhotoError) -> [(name: String, result: Result<[Track], PhotoError>)] {
    let archive = try ZipArchive(source)
    return archive.entries.filter { !$0.name.hasSuffix("/") && !$0.name.hasPrefix("__MACOSX/") }.map { entry in
      let inner = "\(name)/\(entry.name)"
      return (inner, Result { () throws(PhotoError) in [try Track(archive.stream(entry), name: inner)] })
    }
  }

  /// The regular files directly in a folder, hidden ones left out, in the order of their names' bytes.
  private static func files(in folder: FilePath) throws(PhotoError) -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      throw PhotoError(errno: errno, doing: "read the folder")
    }
    defer { closedir(stream) }
    var files: [FilePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: Int(NAME_MAX) + 1) {
          FilePath.Component(platformString: $0)
        }
      }
      guard let name, name.withPlatformString({ $0[0] }) != CChar(bitPattern: UInt8(ascii: ".")) else { continue }
      var status = stat()
      let file = folder.appending(name)
      guard file.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append(file)
    }
    return files.sorted { a, b in a.withPlatformString { a in b.withPlatformString { b in strcmp(a, b) < 0 } } }
  }
}
