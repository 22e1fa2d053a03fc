import Foundation
import Glibc
import TestSupport

/// The built `metatag`, run as a user would, with a separate journal and caches.
struct Tool {
  let home: Scratch

  init() throws {
    home = try Scratch()
    _ = Tool.isPrepared
  }

  /// The gazetteer is prepared before any test looks at the output, because the first use prints a message.
  private static let isPrepared: Bool = {
    let cache = FileManager.default.temporaryDirectory.appending(path: "metatag-test-cache").path
    return (try? Oracle.run(program, ["place", "at", "0,0"], environment: ["XDG_CACHE_HOME": cache]).status) == 0
  }()

  static let program = Corpus.product("metatag").path

  func environment(_ extra: [String: String] = [:]) -> [String: String] {
    [
      "XDG_DATA_HOME": home.url.appending(path: "data").path,
      "XDG_STATE_HOME": home.url.appending(path: "state").path,
      "XDG_CACHE_HOME": FileManager.default.temporaryDirectory.appending(path: "metatag-test-cache").path,
    ].merging(extra) { $1 }
  }

  @discardableResult
  func callAsFunction(_ arguments: String..., environment extra: [String: String] = [:]) throws -> Oracle.Answer {
    try Oracle.run(Tool.program, arguments, environment: environment(extra))
  }

  @discardableResult
  func run(list arguments: [String]) throws -> Oracle.Answer {
    try Oracle.run(Tool.program, arguments, environment: environment())
  }

  /// Runs it as a user whom file modes restrict, even if root runs the tests.
  func bound(_ arguments: [String], environment extra: [String: String] = [:]) throws -> Oracle.Answer {
    let (environment, words) = (environment(extra), [Tool.program] + arguments)
    guard geteuid() == 0 else { return try Oracle.run(Tool.program, arguments, environment: environment) }
    return try Oracle.run("setpriv", ["--inh-caps=-all", "--bounding-set=-all"] + words, environment: environment)
  }

  /// Runs it and kills it this long after `isReady`.
  func run(_ arguments: [String], killedAfter seconds: Double, once isReady: () throws -> Bool = { true }) throws {
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment()) { $1 }
    try process.run()
    while process.isRunning, try !isReady() { usleep(500) }
    usleep(UInt32(seconds * 1e6))
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// exiftool's complete output for files, by path.
func exiftool(_ arguments: [String], _ folder: URL) throws -> [String: [String: any Sendable]] {
  let answer = try Oracle.run("exiftool", ["-j", "-q", "-q", "-a", "-G1"] + arguments + ["-r", folder.path])
  let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: any Sendable]] ?? []
  return Dictionary(uniqueKeysWithValues: rows.compactMap { row in (row["SourceFile"] as? String).map { ($0, row) } })
}
