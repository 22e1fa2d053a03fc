import MetaTag
import SystemPackage

/// The facts of many files, each once, in the order of their paths. The order in which they are added makes no
/// difference.
struct JoinedFacts {
  private var lines: [FilePath: FactsLine] = [:]
  private var cameras = FileFacts.SharedCameras()

  /// Adds the lines of a file.
  /// - Throws: `SetupError` if the file can't be read, or a line is of something else.
  mutating func add(_ path: FilePath, _ console: Console) throws {
    let name = path.printable
    try path.eachLine { bytes, number in
      let line: FactsLine
      do { line = try FactsLine(bytes, sharing: &cameras) } catch {
        // The line that names the protocol.
        if number == 1, bytes.starts(with: Array("{\"metatagWorker\"".utf8)) { return }
        throw SetupError("\(name), line \(number): not an answer of 'metatag worker facts': \(error.words)")
      }
      if let version = line.version {
        do { try RequestError.requireVersion(version) } catch {
          throw SetupError("\(name), line \(number): \((error as? RequestError)?.description ?? error.words)")
        }
      }
      if let other = lines[line.path], !line.isBetter(than: other) { return }
      lines[line.path] = line
    }
  }

  /// The paths of all files.
  var paths: [FilePath] { sorted.map(\.path) }

  /// The facts of those that could be read.
  var facts: [FileFacts] { sorted.compactMap(\.facts) }

  private var sorted: [FactsLine] {
    lines.values.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
  }

  /// Calls `body` with each line.
  func eachLine(_ body: ([UInt8]) throws -> Void) rethrows {
    var writer = JSONWriter()
    for line in sorted {
      writer.value(line.value)
      writer.endLine()
      try body(writer.take())
    }
  }
}

extension FactsLine {
  /// Whether the line counts, of two about the same file: one with facts, otherwise the one that sorts last, so that the
  /// order of lines makes no difference.
  fileprivate func isBetter(than other: FactsLine) -> Bool {
    guard facts != nil, other.facts != nil else { return other.facts == nil && (facts != nil || text > other.text) }
    return text > other.text
  }

  private var text: String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.take(), as: UTF8.self)
  }
}
