import Foundation
import MetaTag
import SystemPackage
import Testing

@testable import metatag_cli

struct RowGroupingTests {
  static func rows(_ count: Int) -> [ReportRow] {
    (0..<count).map { index in
      var row = ReportRow(FilePath("\(index).jpg"), .changed)
      row.common = "moved by +1h23m"
      return row
    } + [ReportRow("x.jpg", .failed, "malformed", reason: "is broken")]
  }

  func printed(_ rows: [ReportRow], _ format: Report.Format = .text, sumsUp: Bool) throws -> [Substring] {
    let captured = try Captured()
    var report = Report(to: captured.console, format, sumsUp: sumsUp)
    rows.forEach { report.add($0) }
    _ = try report.finish()
    return try captured.output.split(whereSeparator: \.isNewline)
  }

  @Test("A summary has one line for equal changes, and one for each failure.")
  func summary() throws {
    let lines = try printed(Self.rows(412), sumsUp: true)
    #expect(
      lines == ["x.jpg: failed: is broken", "413 files: 412 changed, 1 failed", "  412 changed: moved by +1h23m"])
  }

  @Test("Piped output has every row.")
  func piped() throws {
    let lines = try printed(Self.rows(412), sumsUp: false)
    #expect(lines.count == 414 && lines.last == "413 files: 412 changed, 1 failed")
  }

  @Test("A terminal shows the first ten rows of a kind, and all different ones.")
  func terminal() {
    let grouping = RowGrouping(sumsUp: false, isTerminal: true)
    var groups: [RowGrouping.Group: Int] = [:]
    let rows = Self.rows(30) + (0..<20).map { ReportRow(FilePath("m\($0).jpg"), .changed) }
    #expect(rows.filter { grouping.prints($0, &groups) }.count == 31)
    #expect(grouping.hides(groups))
  }

  @Test("CSV has a heading and a row per file, whatever the names contain.")
  func csv() throws {
    var row = ReportTests.changed
    row.notes = [Note(.manifest, "one"), Note(.manifest, "two")]
    let lines = try printed(
      [row, ReportRow("a,\"b\".jpg", .failed, "malformed", reason: "is broken")], .csv, sumsUp: false)
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("path,outcome,reason"))
    #expect(lines[1].hasPrefix("b.jpg,changed,,,,,,,,,,35.0,135.7,,,,,,one; two,,"))
    #expect(lines[1].count { $0 == "," } == lines[0].count { $0 == "," })
    #expect(lines[2].hasPrefix("\"a,\"\"b\"\".jpg\",failed,is broken,"))
  }
}
