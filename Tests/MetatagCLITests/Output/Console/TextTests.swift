import SystemPackage
import Testing

@testable import metatag_cli

struct TextTests {
  @Test(
    "A hostile name is printed as one harmless line.",
    arguments: [
      ("day one/IMG 1.JPG", "day one/IMG 1.JPG"),
      ("a\nb\r\tc", "a\\nb\\r\\tc"),
      ("\u{1B}[2Jgone", "\\u{1B}[2Jgone"),
      ("photo\u{202E}gpj.exe", "photo\\u{202E}gpj.exe"),
      ("\u{9B}31m\u{2028}\u{FEFF}", "\\u{9B}31m\\u{2028}\\u{FEFF}"),
      ("👩\u{200D}🚀 नि\u{200C}", "👩\u{200D}🚀 नि\u{200C}"),
    ])
  func printable(_ name: String, _ shown: String) { #expect(FilePath(name).printable == shown) }

  @Test("Bytes that aren't UTF-8 are displayed, and paths keep them.")
  func bytes() {
    let name: [UInt8] = [0x61, 0xFF, 0xC3, 0xA9, 0xE4, 0xB8]
    #expect(FilePath(rawBytes: name).printable == "a\\xFFé\\xE4\\xB8")
    #expect(FilePath(rawBytes: name).rawBytes == name)
  }

  @Test(
    "Width is counted in terminal columns.",
    arguments: [
      ("", 0), ("Kyoto", 5), ("京都", 4), ("ｶﾅ", 2), ("é", 1), ("e\u{301}", 1), ("서울", 4), ("🗻", 2), ("👩‍🚀", 2),
      ("☀\u{FE0F}", 2), ("São Paulo", 9), ("→", 1),
    ])
  func width(_ text: String, _ columns: Int) { #expect(text.displayWidth == columns) }

  @Test("A table's columns are aligned, and lines have no trailing blanks.")
  func table() {
    var table = Table([.init("Name"), .init("m", .right), .init("Note")])
    table.add(["京都", "12", "old\ncapital"])
    table.add(["São Paulo", "760"])
    #expect(table.lines() == ["Name         m  Note", "京都        12  old\\ncapital", "São Paulo  760"])
  }

  /// One of every kind of column.
  private static func photos() -> Table {
    var table = Table([
      .init("FILE", .left, .atStart(8)), .init("LATITUDE", .right), .init("PLACE", .left, .atEnd(6)), .init("EMPTY"),
      .init("NOTE", .left, .belowRow),
    ])
    table.add(["holiday in Japan/IMG_0001.JPG", "35.02107", "東京都千代田区丸の内", "", "has a date of its own"])
    table.add(["e\u{301}.jpg", "", "Praha"])
    return table
  }

  @Test(
    "A table fits the terminal by dropping empty columns, moving notes and shortening text.",
    arguments: [
      (
        nil,
        [
          "FILE                           LATITUDE  PLACE                 EMPTY  NOTE",
          "holiday in Japan/IMG_0001.JPG  35.02107  東京都千代田区丸の内         has a date of its own",
          "e\u{301}.jpg                                    Praha",
        ]
      ),
      (
        84,
        [
          "FILE                           LATITUDE  PLACE                 NOTE",
          "holiday in Japan/IMG_0001.JPG  35.02107  東京都千代田区丸の内  has a date of its own",
          "e\u{301}.jpg                                    Praha",
        ]
      ),
      (
        61,
        [
          "FILE                           LATITUDE  PLACE",
          "holiday in Japan/IMG_0001.JPG  35.02107  東京都千代田区丸の内", "  has a date of its own",
          "e\u{301}.jpg                                    Praha",
        ]
      ),
      (
        40,
        [
          "FILE                 LATITUDE  PLACE", "…Japan/IMG_0001.JPG  35.02107  東京都千…", "  has a date of its own",
          "e\u{301}.jpg                          Praha",
        ]
      ),
      (
        20,
        [
          "FILE      LATITUDE …", "…001.JPG  35.02107 …", "  has a date of its", "  own", "e\u{301}.jpg              …",
        ]
      ),
    ] as [(Int?, [String])])
  func fitting(_ width: Int?, _ lines: [String]) {
    let fitted = Self.photos().lines(fitting: width)
    #expect(fitted == lines)
    if let width { #expect(fitted.allSatisfy { $0.displayWidth <= width }) }
  }

  @Test("No table is wider than its terminal.", arguments: 1...90)
  func anyWidth(_ width: Int) {
    #expect(Self.photos().lines(fitting: width).allSatisfy { $0.displayWidth <= width })
  }

  @Test(
    "A text whose end distinguishes it is cut at its beginning.",
    arguments: [
      ("ab/c.jpg", 8, "ab/c.jpg"), ("ab/c.jpg", 6, "…c.jpg"), ("a/京都.jpg", 8, "…都.jpg"), ("abc", 1, "…"),
      ("abc", 0, ""),
    ])
  func cutAtStart(_ text: String, _ width: Int, _ cut: String) { #expect(text.cutAtStart(to: width) == cut) }

  @Test(
    "Sentences are folded at blanks, and within words if necessary.",
    arguments: [
      ("one two three", 8, ["one two", "three"]), ("abcdef gh", 4, ["abcd", "ef", "gh"]), ("京都市", 4, ["京都", "市"]),
      ("", 9, []),
    ])
  func folded(_ text: String, _ width: Int, _ lines: [String]) { #expect(text.folded(to: width) == lines) }

  @Test("CSV quotes fields if necessary, ends rows with CR LF and keeps a path's bytes.")
  func csv() {
    var writer = CSVWriter()
    writer.row(["path", "note"])
    writer.field(path: FilePath(rawBytes: [0x61, 0xFF]))
    writer.field("say \"hi\", then\nleave")
    writer.field(nil)
    writer.endRow()
    #expect(
      writer.take() == Array("path,note\r\na".utf8) + [0xFF] + Array(",\"say \"\"hi\"\", then\nleave\",\r\n".utf8))
  }

  @Test(
    "Progress shows the rate and the remaining time.",
    arguments: [
      (0, 0.0, "0 of 4120 files"), (312, 0.4, "312 of 4120 files, 780/s"),
      (400, 1.0, "400 of 4120 files, 400/s, 10 s left"), (5, 2.0, "5 of 4120 files, 2.5/s, 27 min 26 s left"),
      (1, 10.0, "1 of 4120 files, 0.1/s, 11 h 26 min left"), (4120, 10.0, "4120 of 4120 files, 412/s"),
    ])
  func progress(_ done: Int, _ seconds: Double, _ line: String) {
    let start = ContinuousClock.now
    var progress = Progress(total: 4120, start: start)
    progress.done = done
    #expect(progress.line(at: start + .seconds(seconds), columns: 80) == line)
  }

  @Test("Progress is drawn at most ten times a second and within the terminal's width.")
  func redraw() {
    let start = ContinuousClock.now
    var progress = Progress(total: 9, start: start)
    let drawn = (0..<100).filter {
      progress.nextLine(at: start + .milliseconds(10 * $0), columns: 8).map { $0.count < 8 } == true
    }
    #expect(drawn.count == 10)
  }
}
