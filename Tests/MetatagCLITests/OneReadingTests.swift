import Foundation
import TestSupport
import Testing

private let canTrace =
  !hasSanitizer && Oracle.has("strace") && (try? Oracle.run("strace", ["-qq", "-o", "/dev/null", "true"]).status) == 0

/// strace counts how often each photo is opened.
@Suite("One reading", .enabled(if: canTrace, "strace is missing, may not trace, or the program has a sanitizer"))
struct OneReadingTests {
  private static let track = Corpus.project.appending(path: "SampleImages/day.gpx").path

  /// A folder of samples: single photos, a raw file's sidecar, both halves of a Live Photo, a movie that may be half of
  /// one.
  private static func samples() throws -> Scratch {
    let scratch = try Scratch()
    let folder = Corpus.project.appending(path: "SampleImages")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix(".md") {
      if name != "raw", name != "day.gpx" { _ = try scratch.copy(folder.appending(path: name)) }
    }
    return scratch
  }

  /// The number of times that each file in `folder` was opened to be read. The writer opens with O_NOFOLLOW.
  private static func openings(in folder: Scratch, _ trace: URL) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    let log = String(decoding: try Data(contentsOf: trace), as: UTF8.self)
    for line in log.split(separator: "\n") where line.contains("O_RDONLY") && !line.contains("= -1") {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      guard parts.count > 2, !["O_DIRECTORY", "O_PATH", "O_NOFOLLOW"].contains(where: line.contains) else { continue }
      let name = URL(filePath: String(parts[1])).lastPathComponent
      if FileManager.default.fileExists(atPath: folder.url.appending(path: name).path) { counts[name, default: 0] += 1 }
    }
    return counts
  }

  private static func strace(_ trace: URL, _ words: [String]) -> [String] {
    ["-f", "-qq", "-e", "trace=open,openat,openat2", "-o", trace.path, Tool.program] + words
  }

  @Test(
    "A run opens a photo once to learn from it and once to change it",
    arguments: [
      ["geotag", "--track", track],
      ["geotag", "--track", track, "--offset", "auto"],
      ["geotag", "--track", track, "--camera-zone", "+02:00", "--where", "model && title != \"x\""],
      ["geotag", "--track", track, "--sync", "FOLDER/borealis-01-lake.jpg=2024-05-18T10:14:50+02:00"],
      ["geotag", "--from-photos", "FOLDER", "--overwrite", "replace"],
      ["set", "--title", "x", "--where", "model && title != \"y\""],
      ["date", "sequence", "--start", "2024-05-18T10:00", "--order", "taken", "--where", "model"],
      ["date", "from-track", "--track", track, "--in-order", "--overwrite", "replace", "--where", "model"],
      ["date", "from-mtime", "--overwrite", "replace"],
      ["date", "sync-mtime", "--camera-zone", "+02:00", "--where", "model"],
    ])
  func once(_ words: [String]) throws {
    let (tool, photos, log) = (try Tool(), try Self.samples(), try Scratch())
    let trace = log.url.appending(path: "trace")
    let named = words.map { $0.replacing("FOLDER", with: photos.url.path) } + ["-r", photos.url.path]
    let answer = try Oracle.run("strace", Self.strace(trace, named), environment: tool.environment())
    #expect(answer.text.contains("changed"), "\(answer.text) \(answer.errors)")
    let counts = try Self.openings(in: photos, trace)
    #expect(counts.count > 20, "\(counts)")
    #expect(counts.filter { $0.value > 2 } == [:], "\(words)")
  }

  @Test(
    "A run that is confirmed on a terminal opens a photo once before the question and once after it",
    arguments: [
      ["geotag", "--track", track],
      ["geotag", "--track", track, "--where", "model && title != \"y\""],
      ["date", "shift", "+1h"],
      ["set", "--title", "x", "--where", "model && title != \"y\""],
      ["geotag", "--at", "46,7", "--overwrite", "replace", "--where", "model"],
    ])
  func confirmed(_ words: [String]) throws {
    let (tool, photos, log) = (try Tool(), try Scratch(), try Scratch())
    for index in 0..<60 {
      let sample = Corpus.project.appending(
        path: "SampleImages/borealis-0\(["1-lake", "3-falls"][index % 2]).jpg")
      try FileManager.default.copyItem(at: sample, to: photos.url.appending(path: "IMG_\(1_000 + index).jpg"))
    }
    let trace = log.url.appending(path: "trace")
    let terminal = try Terminal(
      "strace", Self.strace(trace, words + [photos.url.path]), environment: tool.environment())
    try terminal.wait(for: "60 files: 60 would change")
    try terminal.wait(for: "Go ahead? [y/N] ")
    try terminal.type("y\n")
    try terminal.wait(for: "60 files: 60 changed")
    #expect(try terminal.end().status == 0)
    let counts = try Self.openings(in: photos, trace)
    #expect(counts.count == 60)
    #expect(counts.filter { $0.value != 2 } == [:], "\(words)")
  }
}
