import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Files in folders that aren't photos")
struct LeftOutTests {
  /// Makes a file as a command says: `pipe NAME`, `link NAME TARGET`, `folder NAME`, `photo NAME`, `text NAME`, `empty
  /// NAME`.
  private static func make(_ word: String, in folder: URL) throws {
    let parts = word.split(separator: " ").map(String.init)
    let url = folder.appending(path: parts[1])
    switch parts[0] {
    case "pipe": #expect(mkfifo(url.path, 0o600) == 0)
    case "link":
      try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: parts[2])
    case "folder": try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    case "photo": try Data(Sample.jpeg().array).write(to: url)
    case "empty": try Data().write(to: url)
    default: try Data("Plain text.".utf8).write(to: url)
    }
  }

  struct Case: CustomTestStringConvertible {
    let made: [String]
    /// Links, special files, photos without an extension, sidecars without a photo.
    let counts: [Int]
    var named = [""]
    var recursively = true
    var inputs = 0

    var testDescription: String { "\(made) \(named)" }
  }

  static let cases = [
    Case(
      made: ["photo a.jpg", "text b.txt", "text README", "empty NONE", "folder c"], counts: [0, 0, 0, 0], inputs: 1),
    // A link to a photo is a photo; a link to anything else is ignored.
    Case(made: ["photo a.jpg", "link b.jpg a.jpg", "text c", "link d c"], counts: [0, 0, 0, 0], inputs: 1),
    Case(made: ["link a.jpg none", "link b none", "link c.txt none", "link d.jpg d.jpg"], counts: [3, 0, 0, 0]),
    Case(made: ["link .hidden none", "photo .photo"], counts: [0, 0, 0, 0]),
    Case(made: ["pipe a", "pipe b.JPG", "pipe c.txt", "link d.jpg a"], counts: [0, 2, 0, 0]),
    Case(made: ["photo IMG_1", "photo IMG_2", "text IMG_3"], counts: [0, 0, 2, 0]),
    Case(made: ["folder a", "photo a/IMG_1", "link b a/IMG_1"], counts: [0, 0, 1, 0]),
    Case(made: ["folder a", "photo a/IMG_1"], counts: [0, 0, 0, 0], recursively: false),
    // A folder that is walked through anyway isn't left out.
    Case(made: ["folder a", "photo a/1.jpg", "link b a"], counts: [0, 0, 0, 0], inputs: 1),
    Case(made: ["folder a", "link a/b ..", "link a/c /"], counts: [1, 0, 0, 0]),
    Case(made: ["link a /"], counts: [0, 0, 0, 0], recursively: false),
    Case(
      made: ["photo a.jpg", "text a.xmp", "text b.xmp", "text c.JPG.xmp", "text d.txt", "text d.XMP"],
      counts: [0, 0, 0, 2], inputs: 1),
    Case(made: ["photo a.jpg", "text A.jpg.xmp", "text a_01.jpg.xmp"], counts: [0, 0, 0, 0], inputs: 1),
    Case(made: ["photo IMG_1", "text IMG_1.xmp"], counts: [0, 0, 1, 0]),
    // A named file is an input.
    Case(
      made: ["photo IMG_1", "photo IMG_2", "text a.xmp", "pipe b.jpg", "link c.jpg none"], counts: [0, 0, 1, 0],
      named: ["", "IMG_1", "a.xmp", "b.jpg", "c.jpg"], inputs: 4),
    Case(made: ["photo IMG_1", "text a.xmp", "pipe b.jpg", "link c none"], counts: [1, 1, 1, 1], named: ["", ""]),
  ]

  @Test("A file that may be meant is counted once; inputs and certain other files are not.", arguments: cases)
  func counts(_ example: Case) throws {
    let scratch = try Scratch()
    for word in example.made { try Self.make(word, in: scratch.url) }
    var leftOut = Walk.LeftOut()
    let inputs = Walk.photos(
      in: example.named.map { $0.isEmpty ? scratch.url.filePath : scratch.url.filePath.appending($0) },
      recursively: example.recursively, leftOut: &leftOut)
    let counts = [
      leftOut.symbolicLinks, leftOut.specialFiles, leftOut.photosWithoutExtension, leftOut.sidecarsWithoutPhoto,
    ]
    #expect(counts == example.counts)
    #expect(inputs.count == example.inputs, "\(inputs.map(\.path))")
  }
}
