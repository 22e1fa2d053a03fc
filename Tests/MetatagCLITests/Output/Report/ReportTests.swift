import ArgumentParser
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag
@testable import metatag_cli

struct ReportTests {
  let rows = [
    changed,
    ReportRow("a.jpg", .unchanged, "hasLocation", reason: "has its place already"),
    ReportRow("c\n.jpg", FileError(.truncated, "the Exif segment is longer than the file", at: 20)),
    ReportRow("d.jpg", .skipped, "beforeTrack", reason: "before the track begins"),
    ReportRow("e.jpg", .skipped, "beforeTrack", reason: "before the track begins"),
  ]

  static var changed: ReportRow {
    var row = ReportRow("b.jpg", .changed)
    var metadata = Metadata()
    row.before = PhotoValues(metadata)
    metadata.locations =
      Coordinate(latitude: 35, longitude: 135.7).map { [Sourced(Location($0), .exif, tag: "")] } ?? []
    row.after = PhotoValues(metadata)
    return row
  }

  @Test("A change that may not last is changed, with its code and exit status 1.")
  func notDurable() throws {
    let photo = try #require(Photo.separately([Walk.Input(path: "a.jpg", failure: nil)]).first)
    let row = ReportRow(Outcome(photo, .failed(FileError(.notDurable, "is changed, which may not last"))))
    #expect(row.outcome == .changed && row.code == "notDurable")
    #expect(try printed([row]).code == .failure)
  }

  /// A report's standard output, standard error and exit status.
  func printed(
    _ rows: [ReportRow], _ format: Report.Format = .text, isDryRun: Bool = false, isQuiet: Bool = false,
    isInterrupted: Bool = false
  ) throws -> (output: String, errors: String, code: ExitCode) {
    let captured = try Captured()
    var report = Report(to: captured.console, format, isDryRun: isDryRun, isQuiet: isQuiet)
    rows.forEach { report.add($0) }
    let code = try report.finish(isInterrupted: isInterrupted)
    return try (captured.output, captured.errors, code)
  }

  @Test("Every row is one line in input order, and the totals add up.")
  func text() throws {
    let report = try printed(rows)
    #expect(
      report.output == """
        b.jpg: changed: no place → 35.0, 135.7
        a.jpg: unchanged: has its place already
        c\\n.jpg: failed: the Exif segment is longer than the file
        d.jpg: skipped: before the track begins
        e.jpg: skipped: before the track begins
        5 files: 1 changed, 1 unchanged, 2 skipped, 1 failed
          2 skipped: before the track begins

        """)
    #expect(report.code == .failure)
  }

  @Test("A note on changed files is printed once with their number.")
  func notes() throws {
    var row = Self.changed
    row.notes = [Note(.manifest, "has a C2PA manifest")]
    let rows = (1...6).map { number in
      var next = row
      next.path = FilePath("day/\(number).jpg")
      return next
    }
    let report = try printed(Array(rows.prefix(2)))
    #expect(report.output.hasSuffix("2 files: 2 changed\n  note on 2 changed (1.jpg, 2.jpg): has a C2PA manifest\n"))
    #expect(try printed([row]).output.hasSuffix("  note on 1 changed: has a C2PA manifest\n"))
    #expect(try printed(rows).output.contains("  note on 6 changed ('--jsonl' lists them): has a C2PA manifest\n"))
  }

  @Test("Notes that differ only in the file's name are counted together.")
  func namesInNotes() throws {
    let rows = (1...3).map { number in
      var row = ReportRow(FilePath("day/IMG_\(number).HEIC"), .changed)
      row.notes = [
        Note(.wrongExtension, "is JPEG", remedy: .fixName("IMG_\(number).JPG")),
        Note(.separatePhoto, "is another photo", file: "IMG_\(number).MP4"),
      ]
      return row
    }
    let output = try printed(rows).output
    #expect(output.contains("  note on 3 changed (IMG_1.HEIC, IMG_2.HEIC, IMG_3.HEIC): is JPEG."), "\(output)")
    #expect(output.contains(" ….JPG.\n") && output.contains(": ….MP4 is another photo\n"))
  }

  @Test("Quiet output lists only files that were not changed as requested.")
  func quiet() throws {
    let report = try printed(rows, isQuiet: true)
    #expect(report.output.split(separator: "\n").map { $0.prefix(5) } == ["c\\n.j", "d.jpg", "e.jpg"])
    #expect(try printed(Array(rows.prefix(2)), isQuiet: true).output.isEmpty)
  }

  @Test("A dry run says what would change.")
  func dryRun() throws {
    let report = try printed(Array(rows.prefix(1)), isDryRun: true)
    #expect(report.output == "b.jpg: would change: no place → 35.0, 135.7\n1 file: 1 would change\n")
  }

  @Test("JSON has rows and totals, and JSON Lines one row per line.")
  func json() throws {
    let document = try JSONSerialization.jsonObject(with: Data(try printed(rows, .json).output.utf8))
    let members = try #require(document as? [String: Any])
    #expect((members["rows"] as? [[String: Any]])?.map { $0["path"] as? String } == rows.map { $0.path.string })
    #expect(members["dryRun"] as? Bool == false)
    #expect(
      members["totals"] as? [String: Int]
        == [
          "files": 5, "changed": 1, "created": 0, "fallback-jpeg": 0, "fallback-sidecar": 0, "unchanged": 1,
          "skipped": 2, "failed": 1, "notRun": 0,
        ])
    let lines = try printed(rows, .jsonLines).output.split(separator: "\n")
    #expect(lines.count == rows.count)
    #expect(
      lines[2]
        == #"{"path":"c\n.jpg","outcome":"failed","reason":"the Exif segment is longer than the file","code":"truncated","offset":20}"#
    )
  }

  @Test("JSON without files is still a document.")
  func empty() throws {
    let document = try JSONSerialization.jsonObject(with: Data(try printed([], .json).output.utf8))
    #expect((document as? [String: Any])?["rows"] as? [Int] == [])
  }

  @Test(
    "The exit status says whether every file has the requested value.",
    arguments: [
      ([], false, 0), ([.changed, .unchanged], false, 0), ([.changed, .skipped], false, 1), ([.failed], false, 1),
      ([.changed, .notRun], true, 130), ([.changed, .unchanged], true, 0),
    ] as [([RowOutcome], Bool, Int32)])
  func exitCode(_ outcomes: [RowOutcome], _ isInterrupted: Bool, _ code: Int32) throws {
    let rows = outcomes.map { ReportRow("a.jpg", $0) }
    let report = try printed(rows, isInterrupted: isInterrupted)
    #expect(report.code == ExitCode(code))
    #expect(report.errors == (code == 130 ? "metatag: interrupted: 1 of 2 files done, 1 not done\n" : ""))
  }

  @Test("A closed pipe ends the output quietly.")
  func brokenPipe() throws {
    Console.surviveBrokenPipes()
    let pipe = try FileDescriptor.pipe()
    try pipe.readEnd.close()
    defer { try? pipe.writeEnd.close() }
    let console = Console(output: pipe.writeEnd)
    console.write([UInt8](repeating: 0x61, count: 1 << 17))
    #expect(console.isClosed)
    try console.finish()
  }

  @Test("A full disk is an error.")
  func fullDisk() throws {
    let full = try FileDescriptor.open("/dev/full", .writeOnly)
    defer { try? full.close() }
    let console = Console(output: full)
    console.print("text")
    #expect(throws: Errno.noSpace) { try console.finish() }
  }
}

@Suite("Closed streams")
struct ClosedStreamTests {
  @Test("A closed or full output loses the report and harms no photo.", arguments: [">&-", "2>&- >&-", ">/dev/full"])
  func output(redirection: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let hash = try sha256(photo)
    let command = "\(Tool.program) geotag --at 1,2 '\(photo.path)' \(redirection)"
    let answer = try Oracle.run("sh", ["-c", command], environment: tool.environment())
    #expect(answer.status == 1)
    if !redirection.contains("2>") { #expect(answer.errors.contains("the report could not be written")) }
    if redirection == ">/dev/full" { #expect(answer.errors.contains("photos may be changed, see 'metatag log'")) }
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "A lost report of a command without changes doesn't warn of changed photos.",
    arguments: ["show", "geotag --at 1,2 --dry-run", "export gpx"])
  func nothingChanged(words: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let answer = try Oracle.run(
      "sh", ["-c", "\(Tool.program) \(words) '\(photo.path)' >/dev/full"], environment: tool.environment())
    #expect(answer.status == 1 && answer.errors.contains("the report could not be written: "), "\(answer.errors)")
    #expect(!answer.errors.contains("may be changed"), "\(answer.errors)")
  }
}
