import Foundation
import SystemPackage
import TestSupport

@testable import metatag_cli

/// A console whose two streams are files.
struct Captured: ~Copyable {
  let console: Console
  private let scratch: Scratch
  private let streams: [FileDescriptor]

  init() throws {
    let scratch = try Scratch()
    streams = try ["out", "err"].map { name in
      try FileDescriptor.open(
        FilePath(scratch.url.path).appending(name), .readWrite, options: .create, permissions: .ownerReadWrite)
    }
    self.scratch = scratch
    console = Console(output: streams[0], errors: streams[1])
  }

  deinit { streams.forEach { try? $0.close() } }

  var output: String { get throws { try text("out") } }
  var errors: String { get throws { try text("err") } }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: scratch.url.appending(path: name)), as: UTF8.self)
  }
}
