import Basics
import Foundation
import Glibc

/// The expanded gazetteer in the user's cache folder: files that are created together.
///
/// The files are trusted if they are exactly those that were sealed (size, inode, change time). Otherwise their
/// checksum decides, and if that is wrong too they are created again. They are created under a lock and another name,
/// and then renamed, so that other processes see either none or complete ones. Files of other versions stay while they
/// are in use: otherwise two installed versions would keep removing and recreating each other's.
struct Cache {
  private let directory: String
  private let name: String

  /// The common path of the files, without the file extensions in `Expansion.parts`.
  private var path: String { "\(directory)/\(name)" }
  private var files: [String] { Self.files(path) }
  private var sealPath: String { "\(directory)/\(name).seal" }

  init(directory: String, header: GazetteerFile.Header) {
    self.directory = directory
    name = "gazetteer-\(Expansion.version).\(Folding.version)-\(header.digest)"
  }

  /// Returns the path of the valid files, without their extensions. Calls `make` first to create them if necessary.
  func open(make: (_ path: String) throws -> Void) throws(GeoIndexError) -> String {
    if seal.isIntact {
      markUsed()
      return path
    }
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let lock = try Lock(path: "\(directory)/gazetteer.lock")
      defer { lock.release() }
      // Another process may have created it while this one waited.
      if seal.isIntact || seal.isRenewed { return path }
      try removeEarlier()
      let partial = "\(directory)/gazetteer.partial"
      let made = Self.files(partial)
      // Remove incomplete files: a full disk needs the space.
      defer { for file in made { unlink(file) } }
      try make(partial)
      let checksum = try FileSeal.checksum(made, synchronise: true)
      for (from, to) in zip(made, files) {
        guard rename(from, to) == 0 else { throw CocoaError(.fileWriteUnknown) }
      }
      try seal.write(checksum)
      return path
    } catch let error as GeoIndexError {
      throw error
    } catch {
      throw GeoIndexError(
        .cache,
        "the gazetteer can't be expanded into the cache folder (about 120 MB)", remedy: .otherCacheFolder)
    }
  }

  private var seal: FileSeal { FileSeal(path: sealPath, files: files) }

  /// Updates the seal's time, which records the last use; a cache that isn't writable stays unchanged.
  private func markUsed() { utimes(sealPath, nil) }

  /// Removes files that are damaged or incomplete, and those that no version has used for a month.
  private func removeEarlier() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
      $0.hasPrefix("gazetteer") && $0 != "gazetteer.lock"
    }
    for (name, parts) in Dictionary(grouping: files, by: { ($0 as NSString).deletingPathExtension }) {
      if name != self.name, isInUse("\(directory)/\(name).seal") { continue }
      for file in parts { try FileManager.default.removeItem(atPath: "\(directory)/\(file)") }
    }
  }

  private func isInUse(_ seal: String) -> Bool {
    var status = stat()
    return stat(seal, &status) == 0 && time(nil) - status.st_mtim.tv_sec < 30 * 86_400
  }

  private static func files(_ path: String) -> [String] { Expansion.parts.map { "\(path).\($0)" } }
}

/// A lock that allows one writer at a time. On file systems without locks, two processes create the same file and one
/// wins.
private struct Lock {
  private let descriptor: CInt

  init(path: String) throws {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func release() { close(descriptor) }
}
