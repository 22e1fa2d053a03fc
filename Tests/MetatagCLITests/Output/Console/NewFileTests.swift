import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("New files")
struct NewFileTests {
  private let scratch: Scratch
  private let url: URL
  private let file: NewFile

  init() throws {
    scratch = try Scratch()
    url = scratch.url.appending(path: "clocks.json")
    file = try NewFile(FilePath(url.path), called: "the output", isWholeAtOnce: true)
    try file.write(Array("own".utf8))
  }

  private func check(_ content: String) throws {
    #expect(try String(contentsOf: url, encoding: .utf8) == content)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["clocks.json"])
  }

  @Test("A file that another process creates meanwhile isn't replaced.")
  func createdMeanwhile() throws {
    try Data("foreign".utf8).write(to: url)
    #expect(throws: SetupError.self) { try file.close() }
    file.discard()
    try check("foreign")
  }

  @Test("A file that gets its name when it is closed leaves no other.")
  func wholeAtOnce() throws {
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try file.close()
    try check("own")
  }
}
