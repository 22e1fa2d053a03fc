import Foundation
import TestSupport
import Testing

@testable import metatag_cli

/// Workers read files of which a parent process has fetched only some bytes.
@Suite("Partial files")
struct PartialFilesTests {
  /// Files, and partial copies of them with the same names.
  private struct Store {
    let tool: Tool
    let (whole, partial): (Scratch, Scratch)
    let names: [String]
    /// The ranges of each file that are here.
    private(set) var have: [String: [Range<Int>]] = [:]
    /// The unit in which bytes are fetched.
    private let unit: Int

    /// Copies files.
    /// - Parameter fillsGaps: Whether missing bytes are others than the file's, instead of zeros.
    init(_ files: [URL], fillsGaps: Bool, unit: Int = 1_024) throws {
      self.unit = unit
      (tool, whole, partial) = (try Tool(), try Scratch(), try Scratch())
      var names: [String] = []
      for (index, file) in files.enumerated() {
        let (name, data) = ("\(index)-\(file.lastPathComponent)", try Data(contentsOf: file))
        names.append(name)
        for folder in [whole, partial] {
          let content = folder.url == whole.url ? data : fillsGaps ? Data(data.map { ~$0 }) : Data(count: data.count)
          let copy = folder.url.appending(path: name)
          try content.write(to: copy)
          try Self.setTime(of: copy)
        }
        have[name] = []
      }
      self.names = names
    }

    private static func setTime(of file: URL) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_714_557_600)], ofItemAtPath: file.path)
    }

    /// Fetches ranges of a file.
    mutating func fetch(_ ranges: [Range<Int>], of name: String) throws {
      let data = try Data(contentsOf: whole.url.appending(path: name))
      let file = try FileHandle(forUpdating: partial.url.appending(path: name))
      for range in ranges {
        let wide =
          range.lowerBound / unit
          * unit..<min(
            data.count, (range.upperBound + unit - 1) / unit * unit)
        try file.seek(toOffset: UInt64(wide.lowerBound))
        try file.write(contentsOf: data[wide])
        // Adjacent ranges count as one.
        var joined = wide
        var others: [Range<Int>] = []
        for known in have[name] ?? [] {
          if known.lowerBound <= joined.upperBound, joined.lowerBound <= known.upperBound {
            joined = min(known.lowerBound, joined.lowerBound)..<max(known.upperBound, joined.upperBound)
          } else {
            others.append(known)
          }
        }
        have[name] = others + [joined]
      }
      try file.close()
      try Self.setTime(of: partial.url.appending(path: name))
    }

    func line(_ name: String) throws -> String {
      let ranges = (have[name] ?? []).map { [$0.lowerBound, $0.upperBound] }
      let row: [String: Any] = ["id": name, "path": name, "have": [["path": name, "ranges": ranges]]]
      return String(decoding: try JSONSerialization.data(withJSONObject: row, options: .sortedKeys), as: UTF8.self)
    }

    /// Runs a worker; returns the answers by their identifiers.
    func run(_ words: [String], _ lines: [String], in folder: Scratch) throws -> [String: [String: Any]] {
      let answer = try Oracle.run(
        Tool.program, words, environment: tool.environment(), input: Data(lines.map { $0 + "\n" }.joined().utf8),
        in: folder.url)
      #expect(answer.status == 0, "\(answer.errors)")
      var answers: [String: [String: Any]] = [:]
      for line in answer.text.split(separator: "\n") {
        let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        answers[try #require(row["id"] as? String)] = row
      }
      #expect(answers.count == lines.count)
      return answers
    }
  }

  private static let passes = [
    ["worker", "facts", "--no-hello"],
    ["worker", "plan", "--no-hello", "--", "geotag", "--at", "46.5,8.25"],
    ["worker", "plan", "--no-hello", "--", "set", "--title", "Lake", "--where", "width > 100 || rating > 2"],
    ["worker", "plan", "--no-hello", "--", "clear", "--location", "--raw", "in-place"],
  ]

  private static func text(_ answer: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: answer, options: .sortedKeys), as: UTF8.self)
  }

  /// Runs a pass on partial files until no bytes are missing. Returns how many answers differ from those on whole files,
  /// and the bytes that were fetched.
  private func differences(_ store: inout Store, _ words: [String]) throws -> (Int, fetched: Int) {
    let wanted = try store.run(words, store.names, in: store.whole)
    var (differences, left) = (0, store.names)
    for _ in 0..<400 where !left.isEmpty {
      let answers = try store.run(words, left.map(store.line), in: store.partial)
      var again: [String] = []
      for (name, answer) in answers {
        guard let need = answer["need"] as? [[String: Any]] else {
          if try Self.text(answer) != Self.text(try #require(wanted[name])) { differences += 1 }
          continue
        }
        #expect(answer["code"] as? String == "missingBytes")
        #expect(answer["retry"] as? Bool == true)
        #expect(need.count == 1 && need.first?["path"] as? String == name)
        let ranges = try #require(need.first?["ranges"] as? [[Int]]).map { $0[0]..<$0[1] }
        #expect(!ranges.isEmpty)
        try store.fetch(ranges, of: name)
        again.append(name)
      }
      left = again.sorted()
    }
    #expect(left == [])
    return (differences, store.have.values.joined().reduce(0) { $0 + $1.count })
  }

  private static let samples: [URL] = {
    let root = Corpus.project.appending(path: "SampleImages")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().map { root.appending(path: $0) }.filter { !$0.hasDirectoryPath && $0.pathExtension != "" }
  }()

  @Test("Workers find the same as in whole files, whatever is in the gaps.", arguments: passes.indices)
  func samples(pass: Int) throws {
    var store = try Store(Self.samples, fillsGaps: true)
    #expect(try differences(&store, Self.passes[pass]).0 == 0)
  }

  @Test(
    "Workers find the same in real photos, and read little of them.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"),
    arguments: passes.indices)
  func corpus(pass: Int) throws {
    let files = Corpus.files("corpus").filter { ((try? Data(contentsOf: $0).count) ?? 0) < 4 << 20 }
    var store = try Store(files, fillsGaps: pass != 1, unit: 16_384)
    let (differences, fetched) = try differences(&store, Self.passes[pass])
    #expect(differences == 0)
    let size = try files.reduce(0) { try $0 + Data(contentsOf: $1).count }
    // Whatever may be left of an erased position is searched for in all of a file.
    let most = pass == 3 ? size : size / 2
    #expect(fetched < most, "\(fetched) of \(size) bytes")
  }

  @Test("If missing bytes weren't reported, the answers would differ.")
  func gapsMatter() throws {
    let store = try Store(Self.samples, fillsGaps: true)
    let wanted = try store.run(Self.passes[0], store.names, in: store.whole)
    let wrong = try store.run(Self.passes[0], store.names, in: store.partial)
    for name in store.names where name.hasSuffix(".jpg") {
      #expect(try Self.text(try #require(wrong[name])) != Self.text(try #require(wanted[name])))
    }
  }

  @Test(
    "Wrong ranges are refused.",
    arguments: [
      "[[5,3]]", "[[-1,3]]", "[[1]]", "[1,2]", "[[1,2,3]]", "[[0.5,2]]", "[[\"0\",2]]", "{}", "[[0,1e30]]", "null",
    ])
  func wrongRanges(ranges: String) throws {
    let store = try Store([Self.samples[0]], fillsGaps: true)
    let answer = try Oracle.run(
      Tool.program, Self.passes[0], environment: store.tool.environment(),
      input: Data("{\"path\":\"a.jpg\",\"have\":[{\"path\":\"a.jpg\",\"ranges\":\(ranges)}]}\n".utf8),
      in: store.whole.url
    )
    #expect(answer.status == 0)
    #expect(answer.text.contains("\"malformedRequest\""), "\(answer.text)")
  }
}
