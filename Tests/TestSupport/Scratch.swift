package import Foundation
package import SystemPackage

/// A new folder for one test, removed when the test releases it.
package final class Scratch: Sendable {
  /// The folder.
  package let url: URL

  /// Creates the folder.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "metatag-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file into the folder.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> URL {
    let file = url.appending(path: name)
    try Data(bytes).write(to: file)
    return file
  }

  /// Copies a file into the folder under its own name.
  @discardableResult
  package func copy(_ file: URL) throws -> URL {
    let copy = url.appending(path: file.lastPathComponent)
    try FileManager.default.copyItem(at: file, to: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
    return copy
  }

  /// Copies a program into the folder. Another process does it: children that other tests start meanwhile would inherit
  /// a file that this process has open for writing, and such a file can't be executed.
  @discardableResult
  package func install(_ file: URL, as name: String) throws -> URL {
    let program = url.appending(path: name)
    let answer = try Oracle.run("install", ["-m", "755", file.path, program.path])
    guard answer.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["install": answer.errors]) }
    return program
  }
}

extension URL {
  /// The file's path as bytes.
  package var filePath: FilePath { FilePath(path(percentEncoded: false)) }
}
