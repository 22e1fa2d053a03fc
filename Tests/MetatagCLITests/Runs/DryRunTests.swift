import Foundation
import Glibc
import TestSupport
import Testing

/// A dry run and a plan promise only what the run itself does.
@Suite("Dry runs of files that can't be written")
struct DryRunTests {
  private static let commands = [
    ["geotag", "--at", "1,2", "--overwrite", "replace"], ["date", "sync-mtime"], ["convert", "--to", "jpeg"],
  ]

  @Test(
    "A dry run and a plan have the same outcomes and exit status as the run.", arguments: commands, [true, false])
  func outcomes(command: [String], isFolder: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let folder = scratch.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let names = ["aurora-01-jetty.jpg", "cirrus-02-meadow.heic"]
    let files = try names.map { name in
      let file = folder.appending(path: name)
      try FileManager.default.copyItem(at: Corpus.project.appending(path: "SampleImages/\(name)"), to: file)
      return file
    }
    for file in isFolder ? [folder] : files { #expect(chmod(file.path, isFolder ? 0o500 : 0o400) == 0) }
    defer { chmod(folder.path, 0o700) }
    let hashes = try files.map(sha256)
    func outcomes(_ words: [String]) throws -> [String] {
      let answer = try tool.bound(command + words + ["--json", folder.path])
      let rows = try WorkflowTests.rows(answer)
      return rows.map { "\($0["outcome"] ?? "") \($0["reason"] ?? "")" } + ["\(answer.status)"]
    }
    var trials = [try outcomes(["--dry-run"])]
    if command[0] == "geotag" { trials.append(try outcomes(["--plan", scratch.url.appending(path: "plan").path])) }
    #expect(try files.map(sha256) == hashes)
    let real = try outcomes([])
    for trial in trials {
      #expect(trial.map { $0.split(separator: " ").first } == real.map { $0.split(separator: " ").first }, "\(trial)")
    }
    if !isFolder, command[0] != "convert" {
      #expect(trials[0] == real && real.allSatisfy { $0 == "1" || $0.contains("is write-protected") }, "\(real)")
    }
  }
}
