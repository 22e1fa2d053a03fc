import Foundation
import TestSupport
import Testing

@Suite("Sums of answers")
struct ReportJoinTests {
  private static func line(_ id: String, _ outcome: String, _ code: String? = nil) -> String {
    "{\"id\":\"\(id)\",\"path\":\"p\",\"outcome\":\"\(outcome)\"" + (code.map { ",\"code\":\"\($0)\"" } ?? "") + "}"
  }

  /// Joins answers; returns the parsed document and the exit status.
  private static func join(_ answers: [String], rows: [String]? = nil) throws -> (sum: [String: Any], status: Int32) {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try scratch.write(Data(answers.map { $0 + "\n" }.joined().utf8), as: "answers")
    var words = ["report", "join", "--json", file.path]
    if let rows { words += ["--rows", try scratch.write(Data(rows.joined(separator: "\n").utf8), as: "rows").path] }
    let answer = try tool.run(list: words)
    let sum = try? JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
    return (sum ?? [:], answer.status)
  }

  private static let hello = #"{"metatagWorker":1,"version":"0.2.0","pass":"apply"}"#

  @Test("Of several answers to a row, the best counts, whatever their order.")
  func best() throws {
    let answers = [
      Self.line("a", "failed", "io"), Self.line("a", "changed"), Self.line("b", "unchanged"), Self.line("b", "changed"),
      Self.line("b", "notRun"),
    ]
    for answers in [answers, answers.reversed()] {
      let (sum, status) = try Self.join([Self.hello] + answers)
      #expect(status == 0 && sum["rows"] as? Int == 2 && sum["repeated"] as? Int == 3)
      #expect(sum["outcomes"] as? [String: Int] == ["changed": 2])
    }
  }

  @Test("Rows that weren't done are counted by their code, and the exit status says so.")
  func failed() throws {
    let (sum, status) = try Self.join([
      Self.line("a", "changed"), Self.line("b", "failed", "io"), Self.line("c", "failed", "io"),
      Self.line("d", "notRun"),
      #"{"id":null,"line":3,"outcome":"failed","code":"malformedRequest"}"#,
    ])
    #expect(status == 1 && sum["refused"] as? Int == 1)
    let reasons = try #require(sum["reasons"] as? [[String: Any]])
    #expect(reasons.map { $0["count"] as? Int } == [2, 1] && reasons[0]["code"] as? String == "io")
    #expect(reasons[1]["code"] == nil && reasons[1]["outcome"] as? String == "notRun")
  }

  @Test("Rows without an answer and answers to other rows are found, for plans and undos.")
  func missing() throws {
    let plan = [
      #"{"metatagPlan":1}"#, #"{"path":"a"}"#, #"{"path":"b","id":"own"}"#, #"{"path":"\ufffd","pathBytes":"6Q=="}"#,
      "",
      #"{"path":"c"}"#,
    ]
    let answers = ["a", "own", "6Q=="].map { Self.line($0, "changed") }
    let (sum, status) = try Self.join(answers + [Self.line("other", "changed")], rows: plan)
    #expect(status == 1 && sum["missing"] as? Int == 1 && sum["others"] as? Int == 1)
    #expect(try Self.join(answers, rows: Array(plan.dropLast())).status == 0)
  }

  @Test(
    "A line of anything else is counted, and the others are added up.",
    arguments: ["x", "{}", "[]", #"{"path":"a"}"#, #"{"id":"a","outcome":"odd"}"#])
  func refused(line: String) throws {
    let (sum, status) = try Self.join([line, Self.line("a", "changed")])
    #expect(status == 1 && sum["refused"] as? Int == 1 && sum["rows"] as? Int == 1)
  }
}
