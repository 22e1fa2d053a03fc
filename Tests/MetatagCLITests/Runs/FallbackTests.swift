import Foundation
import TestSupport
import Testing

/// The command line's handling of photos that can't be changed themselves.
@Suite("Fallback on the command line", .enabled(if: RareHEIF.canBeMade, "\(RareHEIF.absence)"))
struct FallbackTests {
  private let tool: Tool
  private let photos: Scratch
  private let rare: Data
  private var folder: String { photos.url.path }

  init() throws {
    (tool, photos) = (try Tool(), try Scratch())
    rare = try RareHEIF.file()
    try photos.write(rare, as: "IMG_1.HEIC")
  }

  private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

  @Test("The row has the copy, the reason and the losses, and undo removes the copy.")
  func report() throws {
    let dry = try tool("geotag", "--at", "47.6,-122.3", "--dry-run", folder)
    #expect(dry.status == 0 && dry.errors.isEmpty, "\(dry.errors)")
    #expect(dry.text.contains("IMG_1.HEIC: would be fallback-jpeg: \(folder)/IMG_1.JPG: no place → 47.6, -122.3"))
    #expect(try names == ["IMG_1.HEIC"])

    let run = try tool("geotag", "--at", "47.6,-122.3", folder)
    #expect(run.status == 0)
    #expect(run.text.contains("IMG_1.HEIC: fallback-jpeg: \(folder)/IMG_1.JPG: no place → 47.6, -122.3"), "\(run.text)")
    #expect(run.text.contains("has no room for EXIF before its tracks"))
    #expect(run.text.contains("the copy is without the sequence of pictures"))
    #expect(run.text.hasSuffix("1 file: 1 fallback-jpeg\n"))
    #expect(run.errors.hasPrefix("metatag: warning: 1 of 1 files can't be changed"), "\(run.errors)")
    #expect(try names == ["IMG_1.HEIC", "IMG_1.JPG"])
    #expect(try Data(contentsOf: photos.url.appending(path: "IMG_1.HEIC")) == rare)
    #expect(try tool("log").text.split(separator: "\n").last?.contains(" 0        1       0       0  ") == true)

    let undo = try tool("undo")
    #expect(undo.status == 0 && undo.text.contains("IMG_1.JPG: changed: removed (was created by this run)"))
    #expect(try names == ["IMG_1.HEIC"])
  }

  @Test("A copy doesn't hide another photo of its name from --retry-failed.", arguments: ["heic", "heics", "avifs"])
  func retry(ending: String) throws {
    try FileManager.default.moveItem(atPath: "\(folder)/IMG_1.HEIC", toPath: "\(folder)/IMG_1.\(ending)")
    #expect(try tool("geotag", "--at", "47.6,-122.3", folder).status == 0)
    let sample = Corpus.project.appending(path: "SampleImages/cirrus-04-signpost.png")
    let other = try photos.write(try Data(contentsOf: sample), as: "IMG_1.png")
    let again = try tool(
      "geotag", "--at", "47.6,-122.3", "--overwrite", "replace", "--retry-failed", "1", "--json", folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try WorkflowTests.rows(again).compactMap { $0["path"] as? String } == [other.path])
  }

  @Test("JSON has the copy's path, the reason and the losses, and --strict exits with 1.")
  func json() throws {
    let run = try tool("date", "set", "2024-05-01T11:30:00", "--strict", "--jpeg-quality", "60", "--json", folder)
    #expect(run.status == 1, "\(run.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    let row = try #require((report["rows"] as? [[String: Any]])?.first)
    #expect(row["outcome"] as? String == "fallback-jpeg")
    #expect(row["created"] as? String == folder + "/IMG_1.JPG")
    #expect((row["losses"] as? [String])?.count == 1 && row["lossCodes"] as? [String] == ["picturesLost"])
    #expect((row["after"] as? [String: Any])?["taken"] as? String == "2024-05-01T11:30:00")
    let totals = try #require(report["totals"] as? [String: Int])
    #expect(totals["fallback-jpeg"] == 1 && totals["files"] == 1)
    #expect(totals.values.reduce(0, +) == 2)
  }

  @Test("--fallback may write a sidecar or fail, and an erased location gets no copy.")
  func choices() throws {
    let failing = try tool("geotag", "--at", "47.6,-122.3", "--fallback", "fail", folder)
    #expect(failing.status == 1 && failing.text.contains("IMG_1.HEIC: failed: has no room"))
    let clearing = try tool("clear", "--location", folder)
    #expect(try names == ["IMG_1.HEIC"])
    #expect(clearing.text.contains("unchanged") || clearing.text.contains("the original would keep its location"))
    let run = try tool("geotag", "--at", "47.6,-122.3", "--fallback", "sidecar", "-q", folder)
    #expect(run.status == 0 && run.text.contains("fallback-sidecar: \(folder)/IMG_1.HEIC.xmp"), "\(run.text)")
    #expect(try names == ["IMG_1.HEIC", "IMG_1.HEIC.xmp"])
    let again = try tool("geotag", "--at", "47.6,-122.3", "--fallback", "sidecar", folder)
    #expect(again.status == 0 && again.text.contains("unchanged: already has a location"), "\(again.text)")
    let same = ["geotag", "--at", "47.6,-122.3", "--overwrite", "replace", "--fallback", "sidecar", folder]
    #expect(
      try tool.run(list: same).text.contains(
        "unchanged: can't be changed itself; IMG_1.HEIC.xmp already has the requested values"))
  }

  @Test(
    "On a full disk no copy remains, and the original is unchanged.", .enabled(if: Self.canMount, "no right to mount"))
  func fullDisk() throws {
    let big = try RareHEIF.file(width: 800, height: 600)
    let heic = try photos.write(big, as: "IMG_2.HEIC")
    // There is room to begin, but not for the copy.
    let script = """
      mount -t tmpfs -o size=$(( ($(stat -c %s "$1") / 4096 + 24) * 4096 )) none "$3" && cp "$1" "$3" || exit 99
      "$2" geotag --at 47.6,-122.3 "$3/IMG_2.HEIC"; status=$?
      cmp "$1" "$3/IMG_2.HEIC" && [ "$(ls -A "$3")" = IMG_2.HEIC ] || exit 98
      exit $status
      """
    let place = try Scratch()
    let run = try Oracle.run(
      "unshare", ["-m", "sh", "-c", script, "sh", heic.path, Tool.program, place.url.path],
      environment: tool.environment())
    #expect(run.status == 1, "\(run.text)\(run.errors)")
    #expect(run.text.contains("No space left on device"))
  }

  private static let canMount =
    (try? Oracle.run("unshare", ["-m", "sh", "-c", "mount -t tmpfs none /mnt"]).status) == 0

  @Test("A run killed at any moment leaves the whole copy or none, and the next one cleans up.")
  func killed() throws {
    let files = try (0..<12).map { try photos.write(rare, as: "IMG_\($0).HEIC") }
    let change = ["geotag", "--at", "47.6,-122.3", "-q", folder]
    let start = ContinuousClock.now
    #expect(try Oracle.run(Tool.program, change, environment: tool.environment()).status == 0)
    let whole = start.duration(to: .now) / .seconds(1)
    let copy = try Data(contentsOf: photos.url.appending(path: "IMG_0.JPG"))
    #expect(try tool("undo").status == 0)
    for share in [0.3, 0.6, 0.8, 0.9, 0.95] {
      try tool.run(change, killedAfter: whole * share)
      // Settles an interrupted run, and finds nothing else to do.
      #expect(try tool("undo", "9999").status == 2)
      for name in try names {
        let bytes = try Data(contentsOf: photos.url.appending(path: name))
        #expect(bytes == (name.hasSuffix(".JPG") ? copy : rare), "\(name) after \(share)")
        #expect(!name.hasPrefix("."))
      }
      while try tool("undo", "-q").status == 0 {}
      #expect(try names.count == files.count)
    }
  }
}
