import Foundation
import Glibc
import TestSupport
import Testing

/// `metatag place prepare`, and commands that use what it prepared.
@Suite("A gazetteer that was prepared for all users")
struct PlacePrepareTests {
  private func entries(_ folder: URL) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test("Runs that are killed leave nothing that is used, and a completed one serves users who can write nothing.")
  func search() throws {
    let tool = try Tool()
    let folder = tool.home.url.appending(path: "share")
    let metatag = folder.appending(path: "metatag")
    for part in ["gazetteer.partial.places", "gazetteer.partial.towns"] {
      try tool.run(
        ["place", "prepare", folder.path], killedAfter: 0.05,
        once: { FileManager.default.fileExists(atPath: metatag.appending(path: part).path) })
      #expect(!entries(metatag).contains { $0.hasSuffix(".prepared") })
    }
    let answer = try tool("place", "prepare", folder.path)
    #expect(answer.status == 0 && answer.text == "prepared: \(metatag.path)\n", "\(answer.errors)")
    let files = entries(folder)
    #expect(
      Set(entries(metatag).map { ($0 as NSString).pathExtension }) == ["lock", "places", "prepared", "towns"])
    #expect(try tool("place", "prepare", folder.path + "/").status == 0)
    #expect(chmod(metatag.path, 0o555) == 0)
    defer { chmod(metatag.path, 0o755) }
    for variable in ["XDG_DATA_DIRS", "XDG_CACHE_HOME"] {
      var environment = [
        "HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent", "XDG_DATA_HOME": "/nonexistent",
        "XDG_STATE_HOME": "/nonexistent",
      ]
      environment[variable] = folder.path
      let found = try tool.bound(["place", "search", "--json", "Kyoto"], environment: environment)
      #expect(found.status == 0 && found.errors.isEmpty, "\(found.errors)")
    }
    #expect(entries(folder) == files)
  }

  @Test("A folder that can't be written is an error with exit status 2, and one that is missing is 64.")
  func blocked() throws {
    let tool = try Tool()
    let file = try tool.home.write([], as: "file")
    let answer = try tool("place", "prepare", file.path)
    #expect(answer.status == 2 && answer.errors.contains(file.path), "\(answer.errors)")
    let locked = tool.home.url.appending(path: "locked")
    try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
    #expect(chmod(locked.path, 0o555) == 0)
    let refused = try tool.bound(["place", "prepare", locked.path])
    #expect(refused.status == 2 && refused.errors.contains(locked.path), "\(refused.errors)")
    #expect(try tool("place", "prepare").status == 64)
    #expect(entries(locked).isEmpty)
  }
}
