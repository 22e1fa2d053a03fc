import Foundation
import TestSupport
import Testing

@Suite("--where")
struct WhereTests {
  /// Three samples; the first has a location, the others don't.
  func photos(_ tool: Tool) throws -> (Scratch, [String]) {
    let scratch = try Scratch()
    let samples = Corpus.project.appending(path: "SampleImages")
    let files = try FileManager.default.contentsOfDirectory(atPath: samples.path).sorted()
      .filter { $0.hasSuffix(".jpg") }.prefix(3)
    let paths = try files.map { try scratch.copy(samples.appending(path: $0)).path }
    #expect(try tool("geotag", "--overwrite", "replace", "--at", "46.02,7.75", paths[0]).status == 0)
    for path in paths.dropFirst() { #expect(try tool("clear", "--location", path).status == 0) }
    return (scratch, paths)
  }

  @Test("--where selects photos, and counts the others on standard error.")
  func picks() throws {
    let tool = try Tool()
    let (scratch, paths) = try photos(tool)
    let hash = try sha256(URL(filePath: paths[0]))
    let answer = try tool(
      "geotag", "--at", "1,2", "--overwrite", "replace", "--where", "!location", "-r", scratch.url.path)
    #expect(answer.status == 0)
    #expect(answer.text.hasSuffix("2 files: 2 changed\n"), "\(answer.text)")
    #expect(answer.errors == "2 of 3 photos match --where\n")
    #expect(try sha256(URL(filePath: paths[0])) == hash)
  }

  @Test(
    "Every command with photos accepts --where.",
    arguments: [["show"], ["convert", "--to", "jpeg", "-n"], ["export", "csv"]])
  func everywhere(_ words: [String]) throws {
    let tool = try Tool()
    let (scratch, paths) = try photos(tool)
    let answer = try Oracle.run(
      Tool.program, words + ["--where", "within(46,7.7,10km)", scratch.url.path], environment: tool.environment())
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.text.contains(paths[0]) && !answer.text.contains(paths[1]), "\(answer.text)")
    #expect(answer.errors.contains("1 of 3 photos matches --where"))
  }

  @Test("If --where is given twice, both conditions must hold.")
  func twice() throws {
    let tool = try Tool()
    let (scratch, paths) = try photos(tool)
    for conditions in [["location", "!location"], ["!location", "location"]] {
      let answer = try tool.run(
        list: ["geotag", "--at", "1,2", "-n"] + conditions.flatMap { ["--where", $0] } + [scratch.url.path])
      #expect(answer.errors.contains("none of 3 photos matches --where"), "\(paths) \(answer.errors)")
    }
  }

  @Test("Every command reports a folder without photos.")
  func noPhotos() throws {
    let (tool, empty) = (try Tool(), try Scratch())
    for words in [["show"], ["show", "-r"], ["geotag", "--at", "1,2"], ["export", "csv"]] {
      let answer = try tool.run(list: words + [empty.url.path])
      #expect(answer.status == 0 && answer.errors.hasSuffix(": contains no photos\n"), "\(answer.errors)")
    }
    let (scratch, paths) = try photos(tool)
    #expect(try tool("show", scratch.url.path, scratch.url.path + "/.", paths[0]).errors.isEmpty)
  }

  @Test("A condition without matches succeeds, an unreadable file fails, and bad syntax is a usage error.")
  func ends() throws {
    let tool = try Tool()
    let (scratch, paths) = try photos(tool)
    let none = try tool("show", "--where", #"camera == "no such""#, paths[0], paths[1])
    #expect(none.status == 0 && none.text.isEmpty)
    #expect(none.errors == "none of 2 photos matches --where\n")
    let broken = try scratch.write(Array("not a photo".utf8), as: "broken.jpg").path
    let unread = try tool("date", "shift", "+1h", "--where", "taken < 1900", paths[0], broken)
    #expect(unread.status == 1 && unread.text.contains("broken.jpg: failed"), "\(unread.text)")
    #expect(unread.text.contains("1 file: 1 failed"))
    let wrong = try tool("show", "--where", "camera = \"X\"", paths[0])
    #expect(wrong.status == 64 && wrong.errors.contains("column 8"), "\(wrong.errors)")
  }
}
