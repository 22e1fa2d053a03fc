import ArgumentParser
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Unusable arguments and environment variables")
struct UnreadableTextTests {
  /// `^` is an ö in Latin-1.
  private func words(_ words: String) -> [String] {
    words.split(separator: " ").map { Argv.disguised($0.utf8.map { $0 == UInt8(ascii: "^") ? 0xF6 : $0 }) }
  }

  @Test(
    "Text that isn't UTF-8 is refused.",
    arguments: [
      "set --title J^rg a.jpg", "set --title=J^rg a.jpg", "set --artist J^rg a.jpg", "set --description J^rg a.jpg",
      "set --keywords a,J^rg a.jpg", "set --add-keyword J^rg a.jpg", "set --set Exif.Image.Software=J^rg a.jpg",
      "geotag --place K^ln a.jpg", "geotag --track-of J^rg=a.gpx a.jpg", "geotag --track a.gpx --sync a.jpg=K^ln a.jpg",
      "geotag --from-photos d --guide-camera J^rg a.jpg", "name --language ^ a.jpg", "place search K^ln",
      "place pin K^ln 1,2", "show --where model==\"J^rg\" a.jpg", "date set 2024-05-^ a.jpg",
    ])
  func notUTF8(_ line: String) async throws {
    let captured = try Captured()
    let code = await MetatagCommand.run(words(line), console: captured.console)
    #expect(code.rawValue == 64)
    let errors = try captured.errors
    #expect(errors.contains("is not valid UTF-8"), "\(errors)")
  }

  @Test("File names may contain any bytes.")
  func names() throws {
    let command = try #require(try MetatagCommand.parseAsRoot(words("set --title a J^rg.jpg")) as? SetCommand)
    #expect(command.input.files.map(\.path) == [FilePath(platformString: [0x4A, -10] + "rg.jpg".utf8CString)])
  }

  @Test("A variable without an absolute path is ignored with a message.")
  func relative() throws {
    let folders = XDGDirectories(environment: ["XDG_STATE_HOME": "state", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": ""])
    #expect(folders.ignored == ["XDG_STATE_HOME"] && folders.data == "/d/metatag")
    let tool = try Tool()
    let log = try tool("log", environment: ["XDG_CACHE_HOME": "cache"])
    #expect(log.errors.contains("metatag: XDG_CACHE_HOME is not an absolute path and is ignored"), "\(log.errors)")
    #expect(log.status == 0)
  }
}
