import Foundation
import TestSupport
import Testing

/// Photos on standard input, and their changed versions on standard output.
@Suite("Standard input and output")
struct StandardInputTests {
  private static let raw = "delta-01.nef"
  private static let photo = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")

  private func run(_ arguments: String..., input: Data, on tool: Tool) throws -> Oracle.Answer {
    try Oracle.run(Tool.program, arguments, environment: tool.environment(), input: input)
  }

  @Test(
    "show reads standard input like a file.",
    arguments: [
      "aurora-01-jetty.jpg", "cirrus-02-meadow.heic", "borealis-07-swans.mp4", "borealis-06-ferns.xmp",
      "borealis-09-moss.jxl",
    ])
  func show(name: String) throws {
    let (tool, url) = (try Tool(), Corpus.project.appending(path: "SampleImages/" + name))
    let answer = try run("show", "--json", "--all", "-", input: try Data(contentsOf: url), on: tool)
    #expect(answer.status == 0, "\(answer.errors)")
    let scratch = try Scratch()
    // A copy without its sidecar.
    let file = try scratch.copy(url)
    let expected = try tool("show", "--json", "--all", file.path).text.replacing("\"\(file.path)\"", with: "\"-\"")
    #expect(answer.text == expected)
  }

  @Test(
    "Standard output is the edited file byte for byte; the report goes to standard error, and no journal is written.",
    arguments: [
      "aurora-01-jetty.jpg", "cirrus-02-meadow.heic", "borealis-07-swans.mp4", "borealis-06-ferns.tif",
      "borealis-09-moss.jxl", "cirrus-04-signpost.png",
    ])
  func edit(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let url = Corpus.project.appending(path: "SampleImages/" + name)
    let file = try scratch.copy(url)
    let change = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace"]
    let answer = try Oracle.run(
      Tool.program, change + ["-"], environment: tool.environment(), input: try Data(contentsOf: url))
    #expect(answer.status == 0 && answer.errors.contains("1 file: 1 changed"), "\(answer.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.home.url.appending(path: "state").path))
    #expect(try tool.run(list: change + [file.path]).status == 0)
    #expect(try answer.output == Data(contentsOf: file))
  }

  @Test("A photo that needs no change passes through; a skipped or broken one writes nothing.")
  func unchanged() throws {
    let (tool, photo) = (try Tool(), try Data(contentsOf: Self.photo))
    let titled = try run("set", "--title", "T", "-", input: photo, on: tool)
    #expect(try run("set", "--title", "T", "-", input: titled.output, on: tool).output == titled.output)
    let movie = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/cirrus-03-falls.mov"))
    for input in [movie, Data(), Data("no photo".utf8)] {
      let answer = try run("set", "--title", "T", "-", input: input, on: tool)
      #expect(answer.status == 1 && answer.output.isEmpty && answer.errors.hasPrefix("-: "), "\(answer.errors)")
    }
    // It has neither a name nor a time of its own.
    for command in ["from-name", "from-mtime"] {
      let answer = try run("date", command, "--overwrite", "replace", "-", input: photo, on: tool)
      #expect(answer.status == 1 && answer.output.isEmpty, "\(command): \(answer.errors)")
    }
  }

  @Test(
    "Options that need standard output or files are usage errors.",
    arguments: [
      ["--json"], ["--jsonl"], ["--csv"], ["--sidecar", "always"], ["--copy-to", "x"], ["--plan", "x"], ["other.jpg"],
      ["--where", "kind == movie"],
    ])
  func usage(options: [String]) throws {
    let tool = try Tool()
    let answer = try Oracle.run(
      Tool.program, ["set", "--title", "T", "-"] + options, environment: tool.environment(),
      input: try Data(contentsOf: Self.photo))
    #expect(answer.status == 64 && answer.output.isEmpty, "\(answer.errors)")
  }

  @Test("A dry run writes no photo, and commands that only read files refuse standard input.")
  func dryRun() throws {
    let (tool, photo) = (try Tool(), try Data(contentsOf: Self.photo))
    let dry = try run("set", "--title", "T", "-n", "-", input: photo, on: tool)
    #expect(dry.status == 0 && dry.output.isEmpty && dry.errors.contains("would change"), "\(dry.errors)")
    #expect(try run("export", "--to", "csv", "-", input: photo, on: tool).status == 64)
    #expect(try run("date", "check", "-", input: photo, on: tool).status == 64)
    #expect(try run("date", "sync-mtime", "-", input: photo, on: tool).status == 64)
    // A raw file isn't changed itself unless that is requested.
    let raw = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/raw/\(Self.raw)"))
    let refused = try run("geotag", "--at", "1,2", "--overwrite", "replace", "-", input: raw, on: tool)
    #expect(
      refused.status == 1 && refused.output.isEmpty && refused.errors.contains("--raw in-place"), "\(refused.errors)")
  }
}
