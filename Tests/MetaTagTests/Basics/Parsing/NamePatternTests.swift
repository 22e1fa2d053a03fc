import Testing

@testable import MetaTag

@Suite("File name patterns")
struct NamePatternTests {
  @Test(
    "A pattern defines where the date is in a name.",
    arguments: [
      ("scan_{YYYY}-{MM}-{DD}_*", "scan_1975-06-01_aunt.tif", "1975-06-01"),
      ("scan_{YYYY}-{MM}-{DD}_*", "scan_1975-06-01_.tif", "1975-06-01"),
      ("scan_{YYYY}-{MM}-{DD}_*", "scan_1975-06-01.tif", nil),
      ("scan_{YYYY}-{MM}-{DD}_*", "Scan_1975-06-01_aunt.tif", nil),
      ("{DD}.{MM}.{YYYY} {hh}{mm}", "01.06.1975 1230.jpg", "1975-06-01T12:30:00"),
      ("*{YYYY}{MM}{DD}T{hh}{mm}{ss}{f}", "x19750601T1230455.jpg", "1975-06-01T12:30:45.5"),
      ("*{YYYY}*{MM}*{DD}*", "12345-06-07.8.jpg", "1234-06-07"),
      ("*{YYYY}-{MM}-{DD}", "19999-06-07.jpg", "9999-06-07"),
      ("??{YYYY}{MM}{DD}", "äö19750601.jpg", "1975-06-01"), ("??{YYYY}{MM}{DD}", "ä19750601.jpg", nil),
      ("{YYYY}{MM}{DD}", "19750631.jpg", nil), ("{YYYY}{MM}{DD}", "1975060.jpg", nil),
      ("{YYYY}{MM}{DD}", "１９７５0601.jpg", nil), ("{YYYY}{MM}{DD}", "19750601", "1975-06-01"),
      ("{YYYY}{MM}{DD}{hh}{mm}", "197506012500.jpg", nil), ("GX*_{YYYY}{MM}{DD}", "GX010042.MP4", nil),
      ("{YY}-{MM}-{DD} {hh}-{mm}-{ss} *", "24-05-23 18-38-41 0001.jpg", "2024-05-23T18:38:41"),
      ("{YY}{MM}{DD}", "690601.jpg", "1969-06-01"), ("{YY}{MM}{DD}", "680601.jpg", "2068-06-01"),
    ] as [(String, String, String?)])
  func names(pattern: String, name: String, expected: String?) throws {
    let recorded: String? =
      switch try NamePattern(parsing: pattern).date(in: name) {
      case .time(let time): "\(time)"
      case .day(let day): String("\(day)".prefix(10))
      case nil: nil
      }
    #expect(recorded == expected)
  }

  @Test(
    "A pattern without a full date is refused.",
    arguments: [
      ("scan_*", "has no day"), ("{MM}-{DD}", "has no day"), ("{YYYY}{MM}{DD}{YYYY}", "twice"),
      ("{YY}{MM}{DD}{YYYY}", "both {YYYY} and {YY}"),
      ("{yyyy}{MM}{DD}", "'{yyyy}'"), ("{YYYY", "'{YYYY}'"), ("{YYYY}{MM}{DD}{hh}", "incomplete time"),
      ("{YYYY}{MM}{DD}{mm}", "incomplete time"), ("{YYYY}{MM}{DD}{hh}{mm}{f}", "incomplete time"), ("", "has no day"),
    ])
  func refuses(pattern: String, part: String) {
    let error = #expect(throws: ParseError.self) { try NamePattern(parsing: pattern) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.remedy == (part == "has no day" ? .writeLike("scan_{YYYY}-{MM}-{DD}_*") : nil))
  }

  @Test("A pattern with many asterisks doesn't take exponential time.")
  func many() throws {
    let pattern = try NamePattern(parsing: String(repeating: "*a", count: 60) + "{YYYY}{MM}{DD}")
    #expect(pattern.date(in: String(repeating: "a", count: 250)) == nil)
  }
}
