import CSys
import Foundation
import Glibc

/// The expanded gazetteer in the user's cache folder.
///
/// A file is believed if it is the very one that was sealed (size, inode, time of last change); else its checksum decides,
/// and if that is wrong too it is made again. It is made under a lock, under another name, and then renamed: whoever opens
/// it at the same time sees none or a whole one.
struct Cache {
  private let directory: String
  private let name: String

  private var path: String { "\(directory)/\(name).sqlite" }
  private var sealPath: String { "\(directory)/\(name).seal" }

  init(directory: String, header: GazetteerFile.Header) {
    self.directory = directory
    name = "gazetteer-\(Expansion.version).\(Folding.version)-\(header.digest)"
  }

  /// The path of the sound file, which `make` writes first if need be.
  func open(make: (_ path: String) throws -> Void) throws(GeoIndexError) -> String {
    if isSealed { return path }
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let lock = try Lock(path: "\(directory)/gazetteer.lock")
      defer { lock.release() }
      // Another process may have made it while this one waited.
      if isSealed { return path }
      if let checksum = try? Self.checksum(path), checksum == Seal(at: sealPath)?.checksum {
        try seal(checksum)
        return path
      }
      try removeEarlier()
      let partial = "\(directory)/gazetteer.partial"
      try make(partial)
      let checksum = try Self.checksum(partial, synchronise: true)
      guard rename(partial, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      try seal(checksum)
      return path
    } catch let error as GeoIndexError {
      throw error
    } catch {
      throw GeoIndexError(
        .cache,
        "the gazetteer can't be expanded into the cache folder (about 50 MB): "
          + "check its permissions and free space, or name another one in XDG_CACHE_HOME")
    }
  }

  private var isSealed: Bool {
    guard let seal = Seal(at: sealPath), let now = Seal(of: path, checksum: seal.checksum) else { return false }
    return seal == now
  }

  private func seal(_ checksum: UInt) throws {
    guard let seal = Seal(of: path, checksum: checksum) else { throw CocoaError(.fileReadUnknown) }
    try Data(seal.text.utf8).write(to: URL(filePath: sealPath), options: .atomic)
  }

  /// What damaged, interrupted or older versions left.
  private func removeEarlier() throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: directory)
    where file.hasPrefix("gazetteer") && file != "gazetteer.lock" {
      try FileManager.default.removeItem(atPath: "\(directory)/\(file)")
    }
  }

  /// CRC-32 of the whole file.
  private static func checksum(_ path: String, synchronise: Bool = false) throws -> UInt {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    if synchronise { try file.synchronize() }
    var sum = crc32(0, nil, 0)
    while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
      sum = chunk.withUnsafeBytes { crc32(sum, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
    }
    return sum
  }
}

/// What a file was when it was last known to be sound.
private struct Seal: Equatable {
  let checksum: UInt
  private let facts: [Int]

  /// Any write moves the time of last change, which nothing can set back.
  init?(of path: String, checksum: UInt) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.checksum = checksum
    facts = [Int(status.st_size), Int(status.st_ino), status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  init?(at path: String) {
    guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else { return nil }
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 5, let checksum = UInt(exactly: numbers[0]) else { return nil }
    self.checksum = checksum
    facts = Array(numbers.dropFirst())
  }

  var text: String { ([Int(checksum)] + facts).map(String.init).joined(separator: " ") }
}

/// One writer at a time. File systems without locks have none: then two processes make the same file, and one wins.
private struct Lock {
  private let descriptor: CInt

  init(path: String) throws {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func release() { close(descriptor) }
}
