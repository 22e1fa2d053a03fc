@testable import SafeWriting
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Writers that are known to lose photos. A simulation that doesn't notice them proves nothing.
extension Scenario {
  enum Trial: Sendable { case power, error, intruder }

  static let controls: [(trial: Trial, scenario: Scenario)] = [
    (
      .power,
      control("truncates the photo", .ext4) { folder, new throws(FileError) in
        try Descriptor("/photos/a.jpg", O_WRONLY | O_TRUNC, doing: "open it").write(new, at: 0)
        try folder.synchronizeVolume()
      }
    ),
    (
      .power,
      control("renames without flushing", .ext4) { folder, new throws(FileError) in
        _ = try folder.copy(of: "a.jpg", new)
        try folder.replace("a.jpg", by: "new")
        try folder.synchronizeVolume()
      }
    ),
    (
      .power,
      control("flushes, renames and flushes the folder, on FAT", .fat) { folder, new throws(FileError) in
        let file = try folder.copy(of: "a.jpg", new)
        try file.synchronizeAll()
        try folder.replace("a.jpg", by: "new")
        try folder.descriptor.synchronizeAll()
      }
    ),
    (
      .power,
      control("removes the old file before the exchange is on disk", .fat) { folder, new throws(FileError) in
        _ = try folder.copy(of: "a.jpg", new)
        try folder.synchronizeVolume()
        _ = try folder.exchange("new", "a.jpg")
        try folder.remove("new")
        try folder.synchronizeVolume()
      }
    ),
    (
      .error,
      control("flushes again after an error, and verifies by the cache", .ext4) { folder, new throws(FileError) in
        let file = try folder.copy(of: "a.jpg", new)
        do throws(FileError) { try folder.synchronizeVolume() } catch { try folder.synchronizeVolume() }
        guard try FileSource(duplicating: file).bytes(0..<new.count).array == new else { throw .changedMeanwhile }
        try folder.replace("a.jpg", by: "new")
        try folder.synchronizeVolume()
      }
    ),
    (
      .intruder,
      control("doesn't check again before it renames", .ext4) { folder, new throws(FileError) in
        _ = try folder.copy(of: "a.jpg", new)
        try folder.synchronizeVolume()
        try folder.replace("a.jpg", by: "new")
        try folder.synchronizeVolume()
      }
    ),
  ]

  private static func control(
    _ name: String, _ kind: SimulatedDisk.Kind,
    _ write: @escaping @Sendable (Directory, [UInt8]) throws(FileError) -> Void
  ) -> Scenario {
    let new = noise(1_700, seed: 8)
    return Scenario(name: name, kind: kind, files: [File("a.jpg", old: photo, new: new)]) { _, _ in
      let result = Result { () throws(FileError) in try write(try Directory("/photos"), new) }
      return [result]
    }
  }
}

extension Directory {
  /// Writes a file named `new`, with the attributes of another.
  fileprivate func copy(of name: FilePath.Component, _ bytes: [UInt8]) throws(FileError) -> Descriptor {
    let source = try DirectoryEntry(self, name).open()
    let file = try create("new")
    try file.write(bytes, at: 0)
    try Attributes.copy(from: source.file, source.status, to: file)
    return file
  }

  fileprivate func replace(_ name: FilePath.Component, by new: FilePath.Component) throws(FileError) {
    let (folder, from, to) = (descriptor.rawValue, new.string, name.string)
    guard descriptor.system.renameat2(folder, from, folder, to, 0) == 0 else {
      throw FileError(errno: errno, doing: "rename it")
    }
  }
}

@Suite("Known bad writers on simulated disks")
struct NegativeControlTests {
  @Test("Every writer that is known to lose photos is caught.", arguments: Scenario.controls.indices)
  func control(_ index: Int) throws {
    let (trial, scenario) = Scenario.controls[index]
    let problems =
      switch trial {
      case .power: try CrashTests.powerFailures(scenario, samples: 200, noting: \.isOfBytes)
      case .error: try CrashTests.errors(scenario)
      case .intruder: try CrashTests.intruders(scenario)
      }
    #expect(!problems.isEmpty, "\(scenario.name) was not caught")
  }
}

extension String {
  /// Whether a problem is more than one of times or attributes.
  fileprivate var isOfBytes: Bool { contains("neither") || contains("isn't changed") }
}
