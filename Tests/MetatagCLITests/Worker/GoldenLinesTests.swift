import Foundation
import TestSupport
import Testing

@testable import metatag_cli

/// The lines of the protocol in Documentation/WORKER.md.
@Suite("Lines of the protocol")
struct GoldenLinesTests {
  /// The examples: the lines in blocks of JSON, with the version of this program.
  private static func examples() throws -> [String] {
    let text = try String(contentsOf: Corpus.project.appending(path: "Documentation/WORKER.md"), encoding: .utf8)
    return text.components(separatedBy: "```json\n").dropFirst().flatMap { block in
      (block.components(separatedBy: "\n```").first ?? "").split(separator: "\n").map(String.init)
    }.map { $0.replacing("\"0.2.0\"", with: "\"\(Console.version)\"") }
  }

  @Test("The program prints the lines in the documentation, byte for byte.")
  func golden() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let samples = Corpus.project.appending(path: "SampleImages")
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "p"), withIntermediateDirectories: false)
    for ending in ["heic", "mov"] {
      try FileManager.default.copyItem(
        at: samples.appending(path: "cirrus-01-boat.\(ending)"), to: scratch.url.appending(path: "p/a.\(ending)"))
    }
    func run(_ words: [String], _ input: String) throws -> [String] {
      let answer = try Oracle.run(
        Tool.program, words, environment: tool.environment(), input: Data(input.utf8), in: scratch.url)
      #expect(answer.status == 0, "\(answer.errors)")
      return answer.text.split(separator: "\n").map(String.init)
    }
    let examples = try Self.examples()
    let partial = try #require(examples.first { $0.contains("\"have\"") })
    let facts = try run(["worker", "facts", "--no-hello"], "p/a.heic\np/a.mov\n")
    try Data(facts.joined(separator: "\n").utf8).write(to: scratch.url.appending(path: "facts"))
    let apply = try run(["worker", "apply"], String(repeating: "\n", count: 16) + "{\"id\"\n")
    var printed = [try #require(apply.first), try #require(apply.last), try #require(facts.first)]
    printed += try run(["clocks", "--facts", "facts", "--output", "clocks", "--", "geotag", "--at", "46.5,8.25"], "")
    printed += [partial] + (try run(["worker", "facts", "--no-hello"], partial + "\n"))
    #expect(examples == printed)
  }
}
