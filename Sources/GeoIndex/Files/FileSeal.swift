import CSys
import Foundation

/// A small file that says how large files were when they were last known to be valid, so that they needn't be read to be
/// trusted.
///
/// The files are trusted if they are exactly those that were sealed (size, inode, change time). Otherwise their checksum
/// decides.
struct FileSeal {
  let path: String
  let files: [String]
  /// Whether copies of the files are trusted too, by their sizes: a container image has a copy in each of its layers.
  var isPortable = false

  /// Whether the files are those that were sealed.
  var isIntact: Bool {
    guard let seal = stamp else { return false }
    return seal == Stamp(of: files, checksum: seal.checksum, isPortable: isPortable)
  }

  /// Whether the files have the checksum that was sealed, although they were copied since. They are then sealed again, if
  /// the folder can be written to.
  var isRenewed: Bool {
    guard isVerified, let checksum = stamp?.checksum else { return false }
    try? write(checksum)
    return true
  }

  /// Whether the files have the checksum that was sealed.
  var isVerified: Bool {
    guard let checksum = stamp?.checksum else { return false }
    return (try? Self.checksum(files)) == checksum
  }

  /// The content of the seal; nil if there is none.
  private var stamp: Stamp? { Stamp(at: path, facts: (isPortable ? 1 : 4) * files.count) }

  /// Seals the files.
  func write(_ checksum: UInt) throws {
    guard let seal = Stamp(of: files, checksum: checksum, isPortable: isPortable) else {
      throw CocoaError(.fileReadUnknown)
    }
    try Data(seal.text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// Returns the CRC-32 of the concatenated files.
  static func checksum(_ paths: [String], synchronise: Bool = false) throws -> UInt {
    var sum = crc32(0, nil, 0)
    for path in paths {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      if synchronise { try file.synchronize() }
      while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
        sum = chunk.withUnsafeBytes { crc32(sum, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
      }
    }
    return sum
  }

  /// The properties of files when they were last known to be valid.
  private struct Stamp: Equatable {
    let checksum: UInt
    private let facts: [Int]

    /// Any write changes the inode's change time, which can't be set back.
    init?(of paths: [String], checksum: UInt, isPortable: Bool) {
      var facts: [Int] = []
      for path in paths {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        facts.append(Int(status.st_size))
        if !isPortable { facts += [Int(status.st_ino), status.st_ctim.tv_sec, status.st_ctim.tv_nsec] }
      }
      self.checksum = checksum
      self.facts = facts
    }

    init?(at path: String, facts count: Int) {
      guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else { return nil }
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 1 + count, let checksum = UInt(exactly: numbers[0]) else { return nil }
      self.checksum = checksum
      facts = Array(numbers.dropFirst())
    }

    var text: String { ([Int(checksum)] + facts).map(String.init).joined(separator: " ") }
  }
}
