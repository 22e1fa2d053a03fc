import Foundation
import GeoIndex
import MetaTag
import TestSupport
import Testing

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
      + Note.Code.allCases.map(\.rawValue)
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
    #expect(lines[0].hasSuffix(",dryRun,code,explanationCode,noteCodes") && lines[1].contains(",true,noDateInName,"))
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
