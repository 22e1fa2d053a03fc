import Foundation
import Glibc
import TestSupport
import Testing

/// Attributes of a file that it would lose by being written to.
@Suite("Set-id bits and capabilities")
struct AttributeTests {
  private let tool: Tool
  private let photos: Scratch
  private let photo: URL

  init() throws {
    (tool, photos) = (try Tool(), try Scratch())
    photo = try photos.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
  }

  private var mode: mode_t {
    var status = stat()
    return stat(photo.path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test(
    "A set-id bit survives a change by a user other than root, and its undo.", arguments: [0o2775, 0o4755] as [mode_t])
  func setID(_ wanted: mode_t) throws {
    #expect(chmod(photo.path, wanted) == 0)
    let before = try Data(contentsOf: photo)
    let run = try tool.bound(["date", "shift", "1h", photo.path])
    #expect(run.status == 0 && mode == wanted, "\(run.text)\(String(mode, radix: 8))")
    #expect(try Data(contentsOf: photo) != before)
    #expect(try tool.bound(["undo"]).status == 0 && mode == wanted)
    #expect(try Data(contentsOf: photo) == before)
  }

  @Test(
    "Capabilities survive a change and its undo.",
    .enabled(if: geteuid() == 0 && Oracle.has("setcap") && Oracle.has("getcap"), "no right to give capabilities"))
  func capabilities() throws {
    #expect(try Oracle.run("setcap", ["cap_net_raw+ep", photo.path]).status == 0)
    for command in [["date", "shift", "1h", photo.path], ["undo"]] {
      #expect(try tool.run(list: command).status == 0)
      #expect(try Oracle.run("getcap", [photo.path]).text.contains("cap_net_raw"))
    }
  }
}
