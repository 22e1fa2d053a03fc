import SystemPackage
import Testing

@testable import metatag_cli

struct TerminalTests {
  /// A console's output on a terminal.
  func shown(environment: [String: String] = [:], _ work: (Console) throws -> Void) throws -> String {
    let (terminal, side) = try Terminal.open()
    defer { try? terminal.close() }
    try work(Console(output: side, errors: side, environment: environment))
    var bytes = [UInt8](repeating: 0, count: 4_096)
    try side.close()
    // The output comes in pieces, until the terminal is gone (EIO).
    var text: [UInt8] = []
    while let count = try? bytes.withUnsafeMutableBytes({ try terminal.read(into: $0) }), count > 0 {
      text += bytes[..<count]
    }
    return String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  @Test("Progress is drawn, removed before a row, and leaves nothing at the end.")
  func progress() throws {
    let text = try shown { console in
      console.begin(Progress(total: 2))
      var report = Report(to: console, .text)
      report.add(ReportRow("a.jpg", .unchanged))
      report.add(ReportRow("b.jpg", .unchanged))
      _ = try report.finish()
    }
    #expect(text.contains("\r1 of 2 files"))
    #expect(text.contains("\r\u{1B}[Kb.jpg: "))
    #expect(text.hasSuffix("2 files: 2 unchanged\n"))
  }

  @Test(
    "Colours are used only on terminals that support them.",
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
    ] as [([String: String], Bool)])
  func colours(_ environment: [String: String], _ isColoured: Bool) throws {
    let text = try shown(environment: environment) { $0.print($0.paint("failed", .red)) }
    #expect(text == (isColoured ? "\u{1B}[31mfailed\u{1B}[0m\n" : "failed\n"))
  }
}
