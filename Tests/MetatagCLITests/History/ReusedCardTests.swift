import Foundation
import TestSupport
import Testing

/// A reused card: other photos get the paths of those that a run corrected.
@Suite("Reused cards")
struct ReusedCardTests {
  private let tool: Tool
  private let card: Scratch
  private let photo: URL
  private static let samples = Corpus.project.appending(path: "SampleImages")
  private static let day = samples.appending(path: "day.gpx").path

  /// A photo whose date run 1 moved by the 20 minutes that its camera's clock was slow.
  init() throws {
    (tool, card) = (try Tool(), try Scratch())
    photo = card.url.appending(path: "DSC_0001.JPG")
    try take("borealis-01-lake.jpg", "2024-05-18T10:14:20")
    try #require(try tool("date", "shift", "+20m", photo.path).status == 0)
  }

  /// Another card's state: the folder without a run.
  private func take(_ sample: String, _ time: String) throws {
    let other = try Tool()
    try Data(contentsOf: Self.samples.appending(path: sample)).write(to: photo)
    _ = try other("clear", "--location", photo.path)
    try #require(try other("date", "set", time, photo.path).status == 0)
  }

  private func fix(_ words: String...) throws -> Oracle.Answer {
    try tool.run(
      list: [
        "geotag", "--track", Self.day, "--offset", "+20m", "--camera-zone", "Europe/Ljubljana", "--fix-dates",
        photo.path,
      ] + words)
  }

  private func date() throws -> String? {
    try exiftool(["-DateTimeOriginal"], card.url).values.first?["ExifIFD:DateTimeOriginal"] as? String
  }

  @Test("A new photo under an old path is corrected.")
  func another() throws {
    try take("aurora-02-island.jpg", "2024-05-18T10:24:20")
    let run = try fix()
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(try date() == "2024:05:18 10:44:20")
  }

  @Test("The corrected photo and its later states are refused, and --despite-run corrects them.", arguments: 0...3)
  func same(_ way: Int) throws {
    switch way {
    case 1: #expect(try tool("set", "--title", "Lake", photo.path).status == 0)
    case 2:
      #expect(try tool("set", "--title", "Lake", photo.path).status == 0)
      #expect(try tool("undo").status == 0)
    case 3: #expect(try Oracle.run("exiftool", ["-q", "-overwrite_original", "-Artist=A", photo.path]).status == 0)
    default: break
    }
    let run = try fix()
    #expect(run.status == 1 && run.text.contains("run 1 changed it"), "\(run.text)")
    #expect(run.text.contains("--despite-run 1"))
    #expect(try date() == "2024:05:18 10:34:20")
    let wrong = try fix("--despite-run", "99")
    #expect(wrong.status == 64 && wrong.output.isEmpty, "\(wrong.text)")
    #expect(try fix("--despite-run", "1").status == 0)
    #expect(try date() == "2024:05:18 10:54:20")
  }

  @Test("A new photo with a new title is corrected.")
  func titled() throws {
    try take("aurora-02-island.jpg", "2024-05-18T10:24:20")
    #expect(try tool("set", "--title", "Island", photo.path).status == 0)
    #expect(try fix().status == 0)
  }
}
