import MetaTag
import SystemPackage

/// The facts of many files, each once, folder by folder in the order of their names. The order in which they are added
/// makes no difference.
struct JoinedFacts {
  private(set) var facts: [FileFacts] = []
  /// The lines of files that couldn't be read.
  private var failures: [FilePath: FactsLine] = [:]
  /// The number of lines of input that named no file.
  private(set) var refused = 0
  private var cameras = FileFacts.SharedCameras()

  /// Reads the lines of files.
  /// - Throws: `SetupError` if a file can't be read, or a line is of something else.
  init(_ files: [FilePath]) throws {
    for file in files { try add(file) }
    facts.sort { $0.path.precedes($1.path) }
    // If two lines are about one file, the one whose text sorts last counts.
    facts = facts.reduce(into: []) { facts, next in
      guard facts.last?.path == next.path else { return facts.append(next) }
      if facts[facts.count - 1].text < next.text { facts[facts.count - 1] = next }
    }
    for facts in facts { failures[facts.path] = nil }
  }

  private mutating func add(_ file: FilePath) throws {
    let name = file.printable
    try file.eachLine { bytes, number in
      // Outputs of several workers may be one after the other.
      if bytes.starts(with: Array("{\"metatagWorker\"".utf8)) { return }
      if bytes.starts(with: Array("{\"id\":null,".utf8)) {
        refused += 1
        return
      }
      let line: FactsLine
      do { line = try FactsLine(bytes, sharing: &cameras) } catch {
        throw SetupError("\(name), line \(number): not an answer of 'metatag worker facts': \(error.words)")
      }
      guard let own = line.facts else {
        if let other = failures[line.path], other.text >= line.text { return }
        failures[line.path] = line
        return
      }
      do { try RequestError.requireVersion(line.version ?? "") } catch {
        throw SetupError("\(name), line \(number): \((error as? RequestError)?.description ?? error.words)")
      }
      facts.append(own)
    }
  }

  /// The number of all files.
  var count: Int { facts.count + failures.count }

  /// The paths of files that couldn't be read.
  private var unread: [FilePath] { failures.keys.sorted { $0.precedes($1) } }

  /// Calls `body` with the files of some folders, and what is known of them, until there are no more.
  /// - Parameter count: The number of files that are enough for a call.
  func eachFolders(
    of count: Int = 10_000, _ body: ([FilePath], ArraySlice<FileFacts>) async throws -> Void
  ) async throws {
    var (start, others) = (facts.startIndex, unread[...])
    while start < facts.endIndex || !others.isEmpty {
      // The last folder of the portion; nil if the portion has all the rest.
      let last = start + count < facts.endIndex ? facts[start + count - 1].path.removingLastComponent() : nil
      let end = last.flatMap { last in
        facts[(start + count)...].firstIndex { $0.path.removingLastComponent() != last }
      }
      let next = end.map { facts[$0].path }
      let own = others.prefix { path in next.map { path.precedes($0) } ?? true }
      let known = facts[start..<(end ?? facts.endIndex)]
      try await body((known.map(\.path) + own).sorted { $0.precedes($1) }, known)
      (start, others) = (end ?? facts.endIndex, others.dropFirst(own.count))
    }
  }

  /// Calls `body` with each line.
  func eachLine(_ body: ([UInt8]) throws -> Void) rethrows {
    for facts in facts { try body(Array((facts.text + "\n").utf8)) }
    for path in unread { try body(Array(((failures[path]?.text ?? "") + "\n").utf8)) }
  }
}

extension FilePath {
  /// Whether it comes first, by the folder and then by the name.
  fileprivate func precedes(_ other: FilePath) -> Bool {
    let (own, others) = (removingLastComponent(), other.removingLastComponent())
    return own == others
      ? bytes.lexicographicallyPrecedes(other.bytes) : own.bytes.lexicographicallyPrecedes(others.bytes)
  }
}

extension FileFacts {
  fileprivate var text: String { lineValue(id: path.planID, version: Console.version).text }
}

extension FactsLine {
  fileprivate var text: String { value.text }
}

extension PlanValue {
  fileprivate var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.take(), as: UTF8.self)
  }
}
