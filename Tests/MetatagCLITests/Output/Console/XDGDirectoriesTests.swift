import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

/// The folders for the tool's own files.
@Suite("The user's folders")
struct XDGDirectoriesTests {
  @Test(
    "HOME and the XDG variables define the folders, else the password file does.",
    arguments: [
      (["HOME": "/h"], "/h/.local/state/metatag", "/h/.cache/metatag"),
      (["HOME": "/h", "XDG_STATE_HOME": "/s"], "/s/metatag", "/h/.cache/metatag"),
      (["HOME": "/h", "XDG_STATE_HOME": "s"], "/h/.local/state/metatag", "/h/.cache/metatag"),
      (["HOME": ""], "/p/.local/state/metatag", "/p/.cache/metatag"),
      (["HOME": "h", "XDG_CACHE_HOME": "/c"], "/p/.local/state/metatag", "/c/metatag"),
    ] as [([String: String], FilePath, FilePath)])
  func folders(_ environment: [String: String], _ state: FilePath, _ cache: FilePath) {
    let folders = XDGDirectories(environment: environment) { "/p" }
    #expect(folders.state == state && folders.cache == cache)
  }

  @Test(
    "XDG_DATA_DIRS names the folders of shared data, of which relative ones are ignored.",
    arguments: [
      ([:], ["/usr/local/share/metatag", "/usr/share/metatag"]),
      (["XDG_DATA_DIRS": ""], ["/usr/local/share/metatag", "/usr/share/metatag"]),
      (["XDG_DATA_DIRS": "/b:a::/c/"], ["/b/metatag", "/c/metatag"]),
    ] as [([String: String], [FilePath])])
  func shared(_ environment: [String: String], _ expected: [FilePath]) {
    #expect(XDGDirectories(environment: environment) { "/p" }.sharedData == expected)
  }

  @Test("A journal that exists only under the password file's home is used.")
  func stray() throws {
    let (home, other) = (try Scratch(), try Scratch())
    let folders = XDGDirectories(environment: ["HOME": home.url.path]) { FilePath(other.url.path) }
    #expect(folders.strayState == nil)
    let below = ".local/state/metatag"
    for (scratch, isUsed) in [(other, true), (home, false)] {
      let folder = scratch.url.appending(path: below)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appending(path: "journal.db"))
      #expect((folders.strayState != nil) == isUsed)
    }
    let named = XDGDirectories(environment: ["HOME": "/none", "XDG_STATE_HOME": "/s"]) { FilePath(other.url.path) }
    #expect(named.strayState == nil)
  }
}

@Suite("Rows of dry runs")
struct DryRunRowTests {
  @Test("Rows are marked as a dry run's, and list bytes only on request.")
  func rows() throws {
    let (tool, photos) = (try Tool(), try Scratch())
    let photo = try photos.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    func answer(list words: [String]) throws -> String {
      try tool.run(list: ["date", "shift", "+1h", photo.path] + words).text
    }
    func answer(_ words: String...) throws -> String { try answer(list: words) }
    for form in ["--json", "--jsonl"] {
      let trial = try answer(form, "-n").filter { $0 != " " }
      #expect(trial.contains(#""outcome":"changed","dryRun":true"#) || trial.contains("\"dryRun\":true"), "\(trial)")
      #expect(!trial.contains("splices"))
      #expect(try answer(form, "-n", "--splices").contains("splices"))
    }
    func dryRun(_ words: String...) throws -> [String] {
      let table = try answer(list: words).split(whereSeparator: \.isNewline)
        .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
      let column = try #require(table.first?.firstIndex(of: "dryRun"))
      return table.dropFirst().map { $0[column] }
    }
    #expect(try dryRun("--csv", "-n") == ["true"])
    #expect(try tool("date", "shift", "+1h", "--splices", photo.path).status == 64)
    let run = try answer("--jsonl")
    #expect(!run.contains("dryRun") && !run.contains("splices"))
    #expect(try dryRun("--csv") == ["false"])
  }
}
