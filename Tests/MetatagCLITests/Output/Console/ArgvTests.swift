import ArgumentParser
import SystemPackage
import Testing

@testable import metatag_cli

struct ArgvTests {
  @Test(
    "Every argument passes through the parser byte for byte.",
    arguments: [
      Array("IMG_1.JPG".utf8), Array("-1h".utf8), Array("--track".utf8), Array("京都".utf8), [0xFF, 0x2E],
      [0x2D, 0x31, 0xC3],
      Array("\u{10FE2D}1h".utf8), [],
    ] as [[UInt8]])
  func roundTrip(_ word: [UInt8]) { #expect(Argv.bytes(of: Argv.disguised(word)) == word) }

  @Test("Only negative values hide their dash.", arguments: ["-1h", "-33.8,151.2", "-.5", "-03:00"])
  func negative(_ word: String) { #expect(!Argv.disguised(Array(word.utf8)).hasPrefix("-")) }

  @Test("Options keep their dash.", arguments: ["-", "--", "-r", "-n", "-0", "--jobs", "--at=-33,1", "-.jpg"])
  func options(_ word: String) { #expect(Argv.disguised(Array(word.utf8)) == word) }

  @Test("An empty value after the equals sign is a value, and takes no next argument.")
  func emptyValues() {
    let typed = [
      "set", "--title=", "--dry-run", "--set", "Exif.Image.Software=", "--set=Exif.Image.Artist=", "--", "--a=",
    ]
    #expect(Argv.withEmptyValues(typed) == ["set", "--title", "", "--dry-run"] + typed[3...])
  }

  @Test(
    "Many names are one argument to the parser, and reach the command in order.", arguments: [0, 30, 37, 2_000])
  func manyNames(count: Int) throws {
    let names = (0..<count).map { "a \($0).jpg" }
    let typed = ["date", "shift", "-1h", "first.jpg"] + names + ["-n", "last.jpg"]
    let words = Argv.folded(typed.map { Argv.disguised(Array($0.utf8)) })
    #expect(words.count <= typed.count && words.count < 50)
    let command = try #require(try MetatagCommand.parseAsRoot(words) as? DateShiftCommand)
    #expect(command.edit.dryRun)
    #expect(command.input.files.flatMap(\.paths).map(\.string) == ["first.jpg"] + names + ["last.jpg"])
  }
}
