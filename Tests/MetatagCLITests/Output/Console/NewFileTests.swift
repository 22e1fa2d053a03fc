import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("New files")
struct NewFileTests {
  @Test("A file that another process creates meanwhile isn't replaced.")
  func createdMeanwhile() throws {
    let scratch = try Scratch()
    let url = scratch.url.appending(path: "clocks.json")
    let file = try NewFile(FilePath(url.path), called: "the output", isWholeAtOnce: true)
    try file.write(Array("own".utf8))
    try Data("foreign".utf8).write(to: url)
    #expect(throws: SetupError.self) { try file.close() }
    file.discard()
    #expect(try String(contentsOf: url, encoding: .utf8) == "foreign")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["clocks.json"])
  }

  @Test("A file that gets its name when it is closed leaves no other.")
  func wholeAtOnce() throws {
    let scratch = try Scratch()
    let url = scratch.url.appending(path: "clocks.json")
    let file = try NewFile(FilePath(url.path), called: "the output", isWholeAtOnce: true)
    try file.write(Array("own".utf8))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try file.close()
    #expect(try String(contentsOf: url, encoding: .utf8) == "own")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["clocks.json"])
  }
}
