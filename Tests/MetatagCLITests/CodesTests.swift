import Foundation
import GeoIndex
import MetaTag
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Codes of errors, reasons, notes and explanations")
struct CodesTests {
  private static let page = Corpus.project.appending(path: "Documentation/CODES.md")

  /// The codes in the tables of the page, by the heading of their section.
  private static func documented() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    var section = ""
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      if let code = line.firstMatch(of: /^\| `(\w+)` \| \S/)?.1 { found[section, default: []].append(String(code)) }
    }
    return found
  }

  @Test("Documentation/CODES.md lists every code once, with a meaning, and no others.")
  func complete() throws {
    let expected: [String: [String]] = [
      "Errors": FileError.Code.allCases.map(\.rawValue), "Reasons": Reason.Code.allCases.map(\.rawValue),
      "Notes": Note.Code.allCases.map(\.rawValue), "Explanations": Explanation.Code.allCases.map(\.rawValue),
      "Errors about places": GeoIndexError.Code.allCases.map(\.rawValue),
      "Errors in requests": RequestError.Code.allCases.map(\.rawValue),
      "Results": ResultCode.allCases.map(\.rawValue),
    ]
    let documented = try Self.documented()
    #expect(Set(documented.keys) == Set(expected.keys))
    for (section, codes) in expected {
      #expect(documented[section]?.sorted() == codes.sorted(), "\(section)")
    }
  }

  @Test("Codes that may be in the same column are unique.")
  func unique() {
    let codes =
      FileError.Code.allCases.map(\.rawValue) + Reason.Code.allCases.map(\.rawValue)
      + Note.Code.allCases.map(\.rawValue) + ResultCode.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
  }

  @Test(
    "Every kind of error is the code of the errors without a code of their own.", arguments: FileError.Kind.allCases)
  func kinds(kind: FileError.Kind) {
    #expect(FileError.Code(rawValue: kind.rawValue)?.kind == kind)
  }

  @Test("Rows have the codes of reasons, notes and explanations in JSON and CSV.")
  func rows() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = Corpus.project.appending(path: "SampleImages")
    let lake = try scratch.copy(photos.appending(path: "borealis-01-lake.jpg"))
    let bad = try scratch.write([0xFF, 0xD8, 0xFF, 0xE1, 0x40], as: "x.jpg")
    func rows(_ words: [String]) throws -> [[String: Any]] {
      try tool.run(list: words + ["--jsonl"]).text.split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
    let placed = try rows(["geotag", "--at", "0,0", "-n", lake.path, bad.path])
    #expect(placed.map { $0["code"] as? String } == [nil, "truncated"])
    #expect(placed[0]["explanationCode"] as? String == "placed")
    #expect((placed[0]["noteCodes"] as? [String])?.contains("noFixWritten") == true, "\(placed[0])")
    #expect((placed[0]["noteCodes"] as? [String])?.count == (placed[0]["notes"] as? [String])?.count)
    let skipped = try rows(["date", "from-name", "-n", "--overwrite", "replace", lake.path])
    #expect(skipped.first?["code"] as? String == "noDateInName")
    let table = try tool("date", "from-name", "-n", "--overwrite", "replace", "--csv", lake.path).text
    let lines = table.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
    #expect(
      lines[0].hasSuffix(",dryRun,code,explanationCode,noteCodes,lossCodes") && lines[1].contains(",true,noDateInName,")
    )
  }
}

@Suite("Codes of rows with a reason")
struct RowCodeTests {
  private static let photos = Corpus.project.appending(path: "SampleImages")
  private let (tool, scratch): (Tool, Scratch)

  init() throws {
    (tool, scratch) = (try Tool(), try Scratch())
    for name in [
      "aurora-01-jetty.jpg", "borealis-01-lake.jpg", "borealis-05-no-date.jpg", "borealis-06-ferns.tif",
      "borealis-06-ferns.xmp", "cirrus-01-boat.heic", "cirrus-01-boat.mov", "cirrus-06-ducks.gif",
    ] { try scratch.copy(Self.photos.appending(path: name)) }
    try scratch.write([0xFF, 0xD8, 0xFF, 0xE1, 0x40], as: "broken.jpg")
  }

  /// Runs a command and returns its rows, after checking their codes.
  @discardableResult
  private func rows(_ words: [String], files: [String]? = nil) throws -> [[String: Any]] {
    let answer = try tool.run(list: words + ["--json"] + (files ?? [scratch.url.path]))
    let rows = try WorkflowTests.rows(answer)
    for row in rows where row["reason"] != nil {
      #expect((row["code"] as? String)?.wholeMatch(of: /\w+/) != nil, "\(words): \(row)")
    }
    return rows
  }

  @Test("Every row with a reason has a code, whatever the command.")
  func everyCommand() throws {
    let commands = [
      ["geotag", "--at", "46,14", "-n"], ["geotag", "--at", "46,14", "--sidecar", "always", "-n"],
      ["date", "shift", "+1h", "--sidecar", "always", "-n"], ["date", "copy", "--from", "exif", "-n"],
      ["date", "from-name", "-n"], ["date", "repair", "-n"], ["date", "sync-mtime", "-n"],
      ["set", "--title", "x", "--sidecar", "always", "-n"], ["name", "-n"], ["clear", "--location", "-n"],
      ["clear", "--all", "-n"], ["convert", "--to", "compatible", "-n"], ["convert", "--to", "jpeg", "-n"],
    ]
    for command in commands { #expect(try !rows(command).isEmpty, "\(command)") }
  }

  @Test("Rows of undo and redo have the code of what was restored.")
  func undo() throws {
    try rows(["geotag", "--at", "46,14", "--overwrite", "replace", "--sidecar", "always"])
    let removed = try rows(["undo"], files: [])
    #expect(removed.contains { $0["code"] as? String == "removed" }, "\(removed)")
    let photo = scratch.url.appending(path: "aurora-01-jetty.jpg").path
    try rows(["geotag", "--at", "46,14", "--overwrite", "replace"], files: [photo])
    #expect(try rows(["undo"], files: []).map { $0["code"] as? String } == ["restored"])
    #expect(try rows(["redo"], files: []).map { $0["code"] as? String } == ["restored"])
  }

  @Test("A change in a sidecar has the code of that, and not of a note.")
  func sidecar() throws {
    let photo = scratch.url.appending(path: "borealis-01-lake.jpg").path
    let row = try rows(["date", "set", "2035-01-01T00:00:00", "--sidecar", "always", "-n"], files: [photo]).first
    #expect(row?["code"] as? String == "inSidecar", "\(String(describing: row))")
  }

  @Test("A photo that isn't converted has the code of the reason.")
  func converted() throws {
    let photo = scratch.url.appending(path: "borealis-01-lake.jpg").path
    #expect(try rows(["convert", "--to", "jpeg", "-n"], files: [photo]).first?["code"] as? String == "hasFormat")
    #expect(
      try rows(["convert", "--to", "compatible", "-n"], files: [photo]).first?["code"] as? String == "commonFormat")
  }
}

@Suite("Advice about JPEG 2000 files")
struct JPEG2000AdviceTests {
  private let (tool, scratch): (Tool, Scratch)
  private let photo: String

  /// A file with a location in EXIF.
  init() throws {
    (tool, scratch) = (try Tool(), try Scratch())
    let jpeg = try Data(
      contentsOf: Corpus.project.appending(path: "SampleImages/borealis-04-viewpoint.jpg"))
    let start = try #require(jpeg.firstRange(of: Data("Exif\0\0".utf8))).upperBound
    let count = Int(jpeg[start - 8]) << 8 + Int(jpeg[start - 7]) - 8
    func box(_ type: String, _ payload: Data) -> Data {
      let size = UInt32(payload.count + 8)
      return Data((0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32($0))) } + Array(type.utf8)) + payload
    }
    let file =
      box("jP  ", Data([0x0D, 0x0A, 0x87, 0x0A])) + box("ftyp", Data("jp2 \0\0\0\0jp2 ".utf8))
      + box("uuid", Data("JpgTiffExif->JP2".utf8) + jpeg[start..<start + count])
    photo = try scratch.write(file, as: "a.jp2").path
  }

  private func row(_ words: String...) throws -> [String: Any] {
    try #require(try WorkflowTests.rows(tool.run(list: words + ["-n", "--json", photo])).first)
  }

  @Test("A change of the file is advised to go into a sidecar, where it succeeds.")
  func change() throws {
    let refused = try row("set", "--title", "Viewpoint")
    #expect(refused["code"] as? String == "readOnlyFormat")
    #expect((refused["reason"] as? String)?.contains("--sidecar always") == true, "\(refused)")
    #expect(try row("set", "--title", "Viewpoint", "--sidecar", "always")["outcome"] as? String == "changed")
    // The file's own date would take precedence over a sidecar's.
    let dated = try row("date", "set", "2020-01-01T00:00:00")
    #expect(dated["code"] as? String == "readOnlyFormat")
    #expect((dated["reason"] as? String)?.contains("--sidecar") == false, "\(dated)")
  }

  @Test("No advice leads back to the file itself.")
  func overruled() throws {
    let row = try row("geotag", "--at", "47,15", "--overwrite", "replace", "--sidecar", "always")
    #expect((row["noteCodes"] as? [String])?.contains("overruled") == true, "\(row)")
    #expect((row["notes"] as? [String])?.contains { $0.contains("--sidecar") } == false, "\(row)")
  }

  @Test(
    "Nothing can be erased, whatever the options, and no option is advised.",
    arguments: [
      ["--location"], ["--date"], ["--all"], ["--location", "--sidecar", "always"], ["--date", "--sidecar", "always"],
      ["--all", "--sidecar", "always"],
    ])
  func erase(options: [String]) throws {
    let answer = try tool.run(list: ["clear"] + options + ["-n", "--json", photo])
    let row = try #require(try WorkflowTests.rows(answer).first)
    #expect(row["outcome"] as? String == "skipped" && row["code"] as? String == "notErasable", "\(row)")
    #expect((row["reason"] as? String)?.contains("Use ") == false, "\(row)")
  }
}

@Suite("Remedies for files that can't be erased")
struct RemedyCircleTests {
  private static let files = [
    "heic/empty_icc.heic", "mov/sony-a7-xavc.MP4", "tiff/GeoTiff.tif", "raw/CanonRaw.cr3", "raw/Nikon.nef",
    "raw/CanonRaw.cr2", "raw/FujiFilm.raf",
  ]

  /// The arguments that the advice adds to, or puts in place of, those of the command; nil if it names none.
  private static func following(_ reason: String, _ options: [String]) -> [String]? {
    if reason.contains("Use 'metatag clear --all'.") { return ["--all"] }
    if reason.contains("Use 'metatag clear --location' without") { return ["--location"] }
    if reason.contains("'metatag clear --location --date --raw in-place'") {
      return ["--location", "--date", "--raw", "in-place"]
    }
    if reason.contains("Use --timed drop") { return options + ["--timed", "drop"] }
    if reason.contains("Leave out --sidecar always, and use --raw in-place") {
      return Array(options.prefix { $0 != "--sidecar" }) + ["--raw", "in-place"]
    }
    if reason.contains("Use --raw in-place") { return options + ["--raw", "in-place"] }
    if reason.contains("Leave out --sidecar always") { return Array(options.prefix { $0 != "--sidecar" }) }
    return nil
  }

  @Test(
    "Who follows the advice gets further.", .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.absence)),
    arguments: files)
  func follow(file: String) throws {
    let tool = try Tool()
    let photo = Corpus.shared.appending(path: "corpus/\(file)").path
    for options in [
      ["--location"], ["--date"], ["--all"], ["--location", "--coarsen", "1km"], ["--location", "--timed", "drop"],
      ["--date", "--timed", "drop"], ["--location", "--sidecar", "always"], ["--date", "--sidecar", "always"],
    ] {
      func row(_ options: [String]) throws -> [String: Any] {
        let answer = try tool.run(list: ["clear", "-n", "--json"] + options + [photo])
        return try #require(try WorkflowTests.rows(answer).first, "\(options): \(answer.errors)")
      }
      let first = try row(options)
      guard let reason = first["reason"] as? String, first["outcome"] as? String != "changed" else { continue }
      guard let next = Self.following(reason, options) else { continue }
      let second = try row(next)
      #expect(
        ["changed", "unchanged"].contains(second["outcome"] as? String), "\(options): \(reason) \(next): \(second)")
    }
  }
}

@Suite("String literals of the libraries")
struct LibraryLiteralTests {
  /// The targets that don't know the tool.
  private static let libraries = ["Basics", "ImageFormats", "Decoding", "SafeWriting", "MetaTag", "GeoIndex"]

  @Test("They name no option and no command of the tool.", arguments: libraries)
  func literals(library: String) throws {
    let root = Corpus.project.appending(path: "Sources/\(library)")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    let sources = files.filter { $0.pathExtension == "swift" }
    #expect(!sources.isEmpty)
    for source in sources {
      let text = try String(contentsOf: source, encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
        for literal in line.matches(of: /"(?:[^"\\]|\\.)*"/).map(\.output) {
          #expect(
            literal.firstMatch(of: Self.words) == nil,
            "\(library)/\(source.lastPathComponent):\(number + 1): \(literal)")
        }
      }
    }
  }

  /// An option (`--camera-zone`), or a command (`metatag clear`, `'date set'`).
  private static var words: Regex<Substring> {
    /(?:^|[^-\w])--[a-z]|metatag (?:apply|clear|convert|date|export|fix-extension|geotag|import-csv|log|name|place|redo|set|show|takeout|undo|zone)\b|'(?:date|place|zone) [a-z-]+'/
  }
}
