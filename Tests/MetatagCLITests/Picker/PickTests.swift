import Foundation
import Glibc
import TestSupport
import Testing

@testable import metatag_cli

@Suite("place pick on a terminal", .serialized)
struct PickTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func pick(
    _ arguments: String..., environment: [String: String] = [:], size: (Int, Int) = (80, 24)
  ) throws -> Terminal {
    let terminal = try Terminal(
      Tool.program, ["place", "pick"] + arguments,
      environment: tool.environment(["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }),
      output: tool.home.url.appending(path: "picked"), size: size)
    // The first opening may have to expand the gazetteer.
    try terminal.wait(for: "escape: cancel", seconds: 300)
    #expect(terminal.isRaw)
    return terminal
  }

  private func expectRestored(_ terminal: Terminal) {
    #expect(!terminal.isRaw)
    #expect(terminal.shown.contains("\u{1B}[?2004l\u{1B}[?1049l"))
  }

  @Test(
    "A name typed together with Enter is answered before it is taken.", arguments: ["kyoto\r", "京都\r"])
  func fast(typed: String) throws {
    let terminal = try pick()
    try terminal.type(typed)
    let end = try terminal.end()
    #expect(end.status == 0 && end.output == "35.02107,135.75385\n")
    expectRestored(terminal)
    #expect(try tool("place", "recent").text.contains("Kyoto"))
  }

  @Test("Results come while typing, arrows select, and the choice is offered again later.")
  func arrows() throws {
    let terminal = try pick("--no-recent")
    for letter in ["p", "a", "r", "i", "s"] {
      try terminal.type(letter)
      try terminal.wait(for: "place: ")
    }
    try terminal.wait(for: "> Paris")
    try terminal.type("\u{1B}[B")
    try terminal.wait(for: "\u{1B}[7m> ")
    try terminal.type("\u{1B}OA\u{1B}[6~\u{1B}[5~\r")
    let end = try terminal.end()
    #expect(end.status == 0 && end.output == "48.85341,2.3488\n")
    #expect(try tool("place", "recent").text.isEmpty)

    #expect(try tool("place", "pin", "home", "31.2,121.4").status == 0)
    let second = try pick("--json")
    try second.type("\r")
    let pinned = try second.end()
    #expect(pinned.output.contains("\"latitude\": 31.2"))
  }

  @Test("A pin's altitude is printed and accepted as part of coordinates.")
  func altitude() throws {
    #expect(try tool("place", "pin", "summit", "47.4211,10.9863,2962").status == 0)
    let terminal = try pick()
    try terminal.type("@summit\r")
    #expect(try terminal.end().output == "47.4211,10.9863,2962.0\n")
    let photo = try tool.home.copy(Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg")).path
    for option in ["--place", "--at"] {
      let run = try tool("geotag", option, "47.4211,10.9863,2962.0", "--dry-run", photo)
      #expect(run.status == 0 && run.text.contains("47.4211, 10.9863, 2962.0 m"), "\(run.errors)")
    }
    #expect(try tool("geotag", "--place", "48,85,2", "--dry-run", photo).status == 2)
  }

  @Test("A character's bytes may come one by one, and pasted line ends are ignored.")
  func bytes() throws {
    let terminal = try pick()
    for byte in Array("京".utf8) {
      try terminal.type([byte])
      usleep(20_000)
    }
    try terminal.type("\u{1B}[200~都\n\u{1B}[201~")
    try terminal.wait(for: "> Kyoto (京都)")
    try terminal.type("\r")
    #expect(try terminal.end().output == "35.02107,135.75385\n")
  }

  @Test(
    "Escape exits with 1, Ctrl-C and signals with 130, and the terminal is restored.",
    arguments: ["\u{1B}", "\u{3}", "TERM", "HUP"])
  func leaving(how: String) throws {
    let terminal = try pick()
    try terminal.type("kyo")
    switch how {
    case "TERM": terminal.signal(SIGTERM)
    case "HUP": terminal.signal(SIGHUP)
    default: try terminal.type(how)
    }
    let end = try terminal.end()
    #expect(end.status == (how == "\u{1B}" ? 1 : 130) && end.output.isEmpty)
    expectRestored(terminal)
  }

  @Test("A smaller terminal is redrawn within its width, and NO_COLOR avoids inversion.")
  func resize() throws {
    let terminal = try pick(environment: ["NO_COLOR": "1"], size: (100, 30))
    try terminal.type("springfield")
    try terminal.wait(for: "> Springfield")
    try terminal.resize(12, 5)
    try terminal.wait(for: "\u{1B}[1;1H")
    try terminal.wait(for: "\u{1B}[J")
    try terminal.type("\u{1B}[B")
    try terminal.wait(for: "\u{1B}[1;1H")
    try terminal.wait(for: "…")
    #expect(!terminal.shown.contains("\u{1B}[7m"))
    try terminal.type("\u{3}")
    #expect(try terminal.end().status == 130)
  }

  @Test("Without a terminal it exits with 2 and a message.", arguments: ["xterm", "dumb"])
  func noTerminal(kind: String) throws {
    if kind == "dumb" {
      let terminal = try Terminal(
        Tool.program, ["place", "pick"], environment: tool.environment(["TERM": kind]),
        output: tool.home.url.appending(path: "picked"))
      #expect(try terminal.end(seconds: 300).status == 2)
    } else {
      let answer = try Oracle.run(
        "setsid", ["--wait", Tool.program, "place", "pick"], environment: tool.environment(["TERM": kind]))
      #expect(answer.status == 2 && answer.errors.contains("requires a terminal"))
    }
  }
}
