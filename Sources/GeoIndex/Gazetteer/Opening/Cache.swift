import Basics
import Foundation
import Glibc

/// The expanded gazetteer in the user's cache folder, or in a prepared folder: files that are created together.
///
/// The files are trusted if they are exactly those that were sealed (size, inode, change time). Otherwise their
/// checksum decides, and if that is wrong too they are created again. They are created under a lock and another name,
/// and then renamed, so that other processes see either none or complete ones. Files of other versions stay while they
/// are in use: otherwise two installed versions would keep removing and recreating each other's.
///
/// A prepared folder is written once and then only read, by any user. Its files are trusted by their sizes, like
/// installed files.
struct Cache {
  private let directory: String
  private let name: String

  /// The common path of the files, without the file extensions in `Expansion.parts`.
  private var path: String { "\(directory)/\(name)" }
  private var files: [String] { Self.files(path) }
  private var sealPath: String { "\(path).seal" }

  init(directory: String, header: GazetteerFile.Header) {
    self.directory = directory
    name = "gazetteer-\(Expansion.version).\(Folding.version)-\(header.digest)"
  }

  /// Returns the path of the valid files, without their extensions. Calls `make` first to create them if necessary.
  func open(make: (_ path: String) throws -> Void) throws(GeoIndexError) -> String {
    if let prepared { return prepared }
    if seal.isIntact {
      markUsed()
      return path
    }
    do {
      try locked {
        // Another process may have created it while this one waited.
        if seal.isIntact || seal.isRenewed { return }
        try seal.write(try replaceFiles(make: make))
      }
    } catch let error as GeoIndexError {
      throw error
    } catch {
      throw GeoIndexError(
        .cache,
        "the gazetteer can't be expanded into the cache folder (about 120 MB)", remedy: .otherCacheFolder)
    }
    return path
  }

  /// The path of the files, without their extensions, if the folder was prepared; otherwise nil.
  var prepared: String? { portableSeal.isIntact ? path : nil }

  /// Creates the files, which every user may read, unless valid ones are there. Files that other versions prepared are
  /// removed.
  func prepare(make: (_ path: String) throws -> Void) throws(GeoIndexError) {
    // The folder may be read-only by now.
    if isPrepared { return }
    do {
      try locked {
        if isPrepared { return }
        let checksum = try replaceFiles(includingPrepared: true, make: make)
        for file in files {
          guard chmod(file, 0o644) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        }
        try portableSeal.write(checksum)
      }
    } catch let error as GeoIndexError {
      throw error
    } catch {
      throw GeoIndexError(.cache, "the gazetteer can't be expanded into \(directory): \(Self.reason(error))")
    }
  }

  private var isPrepared: Bool { portableSeal.isIntact && portableSeal.isVerified }

  /// Runs `body` while no other process creates files in the folder, which is created if it doesn't exist.
  private func locked(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let lock = try Lock(path: "\(directory)/gazetteer.lock")
    defer { lock.release() }
    try body()
  }

  /// Creates the files, without a seal, after it removed earlier ones. Returns their checksum.
  private func replaceFiles(
    includingPrepared: Bool = false, make: (_ path: String) throws -> Void
  ) throws -> UInt {
    try removeEarlier(includingPrepared: includingPrepared)
    let partial = "\(directory)/gazetteer.partial"
    let made = Self.files(partial)
    // Remove incomplete files: a full disk needs the space.
    defer { for file in made { unlink(file) } }
    try make(partial)
    let checksum = try FileSeal.checksum(made, synchronise: true)
    for (from, to) in zip(made, files) {
      guard rename(from, to) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
    return checksum
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileWriteOutOfSpace?: "the disk is full; it needs about 120 MB"
    case .fileWriteNoPermission?: "the folder is not writable"
    case .fileWriteVolumeReadOnly?: "the file system is read-only"
    case .fileWriteFileExists?: "a file of that name exists"
    default: "files can't be created there"
    }
  }

  private var seal: FileSeal { FileSeal(path: sealPath, files: files) }
  private var portableSeal: FileSeal { FileSeal(path: "\(path).prepared", files: files, isPortable: true) }

  /// Updates the seal's time, which records the last use; a cache that isn't writable stays unchanged.
  private func markUsed() { utimes(sealPath, nil) }

  /// Removes files that are damaged or incomplete, and those that no version has used for a month.
  private func removeEarlier(includingPrepared: Bool) throws {
    // An installation has a folder `gazetteer`, which may be in the same one.
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
      ($0.hasPrefix("gazetteer.") || $0.hasPrefix("gazetteer-")) && $0 != "gazetteer.lock"
    }
    for (name, parts) in Dictionary(grouping: files, by: { ($0 as NSString).deletingPathExtension }) {
      if name != self.name, isInUse("\(directory)/\(name).seal") { continue }
      if name != self.name, !includingPrepared, parts.contains("\(name).prepared") { continue }
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
    guard descriptor >= 0 else {
      switch errno {
      case ENOSPC, EDQUOT: throw CocoaError(.fileWriteOutOfSpace)
      case EROFS: throw CocoaError(.fileWriteVolumeReadOnly)
      default: throw CocoaError(.fileWriteNoPermission)
      }
    }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func release() { close(descriptor) }
}
