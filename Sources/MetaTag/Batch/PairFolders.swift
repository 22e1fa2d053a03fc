import Glibc
import SystemPackage

/// The folders of a run's inputs, and what lies in them, each read once.
struct PairFolders {
  private struct Entry {
    /// As the first input in it names it.
    let path: FilePath
    /// Names of files that may belong together, by stem.
    let names: [[UInt8]: [FilePath.Component]]
  }

  private var entries: [Entry] = []
  private var spellings: [FilePath: Int] = [:]
  private var known: [Walk.FileID: Int] = [:]

  /// A number for the folder, the same however it is spelled.
  mutating func index(of path: FilePath) -> Int {
    if let index = spellings[path] { return index }
    let id = Walk.FileID(at: path.isEmpty ? "." : path, S_IFDIR)
    let index = id.flatMap { known[$0] } ?? entries.count
    if index == entries.count { entries.append(PairFolders.read(path)) }
    spellings[path] = index
    if let id { known[id] = index }
    return index
  }

  /// Files in a folder with that stem, in the order of their names' bytes.
  func files(named stem: [UInt8], in folder: Int) -> [FilePath] {
    entries[folder].names[stem, default: []].sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      .map { entries[folder].path.appending($0) }
  }

  /// A folder that can't be read has nothing to offer.
  private static func read(_ path: FilePath) -> Entry {
    var names: [[UInt8]: [FilePath.Component]] = [:]
    for name in (try? Folder(path.isEmpty ? "." : path).names()) ?? [] {
      if let stem = PairName(name)?.stem { names[stem, default: []].append(name) }
    }
    return Entry(path: path, names: names)
  }
}

extension Walk.FileID {
  /// Nil when there is no such thing at `path`, or nothing of this kind.
  init?(at path: FilePath, _ kind: mode_t) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == kind else { return nil }
    self.init(status)
  }
}
