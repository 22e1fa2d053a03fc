import ArgumentParser
import SystemPackage

/// A file's name on the command line, byte for byte.
struct PathArgument: ExpressibleByArgument, Sendable, Hashable {
  let path: FilePath

  init?(argument: String) {
    let bytes = Argv.bytes(of: argument)
    guard !bytes.isEmpty else { return nil }
    path = FilePath(rawBytes: bytes)
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}
