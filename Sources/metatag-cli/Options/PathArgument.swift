import ArgumentParser
import SystemPackage

/// A file name on the command line, byte for byte, or the many names that `Argv` joined into one word.
struct PathArgument: ExpressibleByArgument, Sendable, Hashable {
  let paths: [FilePath]
  /// The first path; for an option, the only one.
  let path: FilePath

  init?(argument: String) {
    paths = Argv.bytes(of: argument).split(separator: 0).map { FilePath(rawBytes: $0) }
    guard let first = paths.first else { return nil }
    path = first
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}
