import ArgumentParser
import SystemPackage

/// A file's name on the command line, byte for byte; or many of them, where `Argv` has folded a long row.
struct PathArgument: ExpressibleByArgument, Sendable, Hashable {
  let paths: [FilePath]
  /// The first, and for an option the only one.
  let path: FilePath

  init?(argument: String) {
    paths = Argv.bytes(of: argument).split(separator: 0).map { FilePath(rawBytes: $0) }
    guard let first = paths.first else { return nil }
    path = first
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}
