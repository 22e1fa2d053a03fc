import CSys
import Foundation
import TestSupport
import Testing

@Suite("Confinement")
struct ConfinementTests {
  private let tool: Tool
  private let folder: Scratch
  private let outside: Scratch
  private let photo: URL
  private let foreign: URL

  init() throws {
    (tool, folder, outside) = (try Tool(), try Scratch(), try Scratch())
    photo = try folder.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    foreign = try outside.copy(Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg"))
  }

  /// Whether the kernel has Landlock, and no sanitizer wants to read its own files, which `--root` forbids.
  private static let canConfine = csys_landlock_version() > 0 && !hasSanitizer

  @Test("With --root, a Live Photo whose movie is a link that leads out stays whole.", .enabled(if: canConfine))
  func tornLivePhoto() throws {
    let (tool, folder, outside) = (try Tool(), try Scratch(), try Scratch())
    let still = try folder.copy(Corpus.project.appending(path: "SampleImages/cirrus-01-boat.heic"))
    let movie = try outside.copy(Corpus.project.appending(path: "SampleImages/cirrus-01-boat.mov"))
    let link = folder.url.appending(path: "cirrus-01-boat.mov")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: movie)
    let before = try sha256(still)
    for inputs in [[still.path], [folder.url.path]] {
      let words = ["geotag", "--at", "46,7", "--overwrite", "replace", "--root", folder.url.path] + inputs
      let run = try tool.run(list: words)
      #expect(run.status == 1, "\(run.text)")
      #expect(
        run.text.contains("cirrus-01-boat.mov, which may belong to it, can't be read: could not open it"),
        "\(run.text)")
      #expect(try sha256(still) == before)
    }
    #expect(try tool("show", "--root", folder.url.path, still.path).status == 0)
    let alone = ["--at", "46,7", "--overwrite", "replace", "--separately", "--root", folder.url.path, still.path]
    #expect(try tool.run(list: ["geotag"] + alone).status == 0)
    #expect(try sha256(still) != before)
  }

  @Test("With --root, links don't lead out, and tracks and lists may be elsewhere.", .enabled(if: canConfine))
  func root() throws {
    let link = folder.url.appending(path: "link.jpg")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: foreign)
    let before = try [foreign, photo].map(sha256)
    let track = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let list = try outside.write(Array((photo.path + "\n").utf8), as: "list.txt")
    let run = try tool(
      "geotag", "--track", track, "--offset", "+1h23m", "--root", folder.url.path, "--files-from", list.path, link.path)
    #expect(run.status == 64 && run.errors.contains("the folder of --root"), "\(run.errors)")
    let walked = try tool(
      "geotag", "--track", track, "--offset", "+1h23m", "--root", folder.url.path, "--files-from", list.path,
      folder.url.path)
    #expect(walked.status == 1 && walked.text.contains("link.jpg: failed"), "\(walked.text)\(walked.errors)")
    let reason = "Permission denied. --root limits metatag to files below \(folder.url.path)."
    #expect(walked.text.contains(reason))
    let references = try tool(
      "geotag", "--from-photos", outside.url.path, "--root", folder.url.path, "--dry-run", photo.path)
    #expect(references.status == 2 && references.errors.contains(reason), "\(references.errors)")
    #expect(references.errors.contains("found no photo in --from-photos"), "\(references.errors)")
    #expect(try sha256(foreign) == before[0])
    #expect(try sha256(photo) != before[1])
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == before[1])
  }

  @Test(
    "With --root, a link into shared memory is refused.",
    .enabled(if: canConfine && FileManager.default.fileExists(atPath: "/dev/shm")))
  func sharedMemory() throws {
    let shared = URL(filePath: "/dev/shm/metatag-\(UUID().uuidString).jpg")
    try FileManager.default.copyItem(at: photo, to: shared)
    defer { try? FileManager.default.removeItem(at: shared) }
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "link.jpg"), withDestinationURL: shared)
    let run = try tool("show", "--root", folder.url.path, folder.url.path)
    #expect(run.status == 1 && run.errors.contains("Permission denied"), "\(run.text)\(run.errors)")
  }

  @Test("With --root, nothing is written elsewhere.", .enabled(if: canConfine))
  func writing() throws {
    let copies = outside.url.appending(path: "copies").path
    let run = try tool(
      "geotag", "--at", "46,14", "--root", folder.url.path, "--copy-to", copies, photo.path)
    #expect(run.status == 64 && run.errors.contains("--copy-to must be below the folder of --root"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: copies))
    #expect(try tool("show", "--root", folder.url.path, photo.path).status == 0)
    #expect(try tool("show", "--root", photo.path, photo.path).status == 64)
  }

  @Test("With --root, a plan changes nothing elsewhere.", .enabled(if: canConfine))
  func plan() throws {
    let plan = outside.url.appending(path: "plan.jsonl").path
    #expect(try tool("date", "shift", "+1h", "--plan", plan, photo.path, foreign.path).status == 0)
    let before = try [foreign, photo].map(sha256)
    #expect(try tool("apply", "--root", folder.url.path, plan).status == 1)
    #expect(try sha256(foreign) == before[0] && sha256(photo) != before[1])
    let undo = try tool("undo", "--root", outside.url.path)
    #expect(undo.status == 1 && undo.text.contains("skipped: is not below the folder of --root"), "\(undo.text)")
    #expect(!undo.errors.contains("--moved-to"))
    #expect(try sha256(photo) != before[1])
    #expect(try tool("undo", "--root", folder.url.path).status == 0)
    #expect(try sha256(photo) == before[1])
  }

  @Test("The process can't open a connection, and doctor says so.")
  func network() throws {
    let doctor = try tool("doctor", "--json")
    #expect(doctor.text.contains("\"offline\""), "\(doctor.text)")
  }

  @Test("No command opens a socket to the network.")
  func sockets() throws {
    let log = outside.url.appending(path: "trace").path
    let words = ["-f", "-o", log, "-e", "trace=socket,connect", Tool.program]
    let probe = try? Oracle.run("strace", ["-o", "/dev/null", "true"])
    guard probe?.status == 0, !hasSanitizer else {
      return print("skipped: strace isn't there, may not trace, or the program has a sanitizer")
    }
    for command in [["geotag", "--place", "Kyoto", photo.path], ["show", "--names", photo.path], ["undo"]] {
      let run = try Oracle.run("strace", words + command, environment: tool.environment())
      #expect(run.status == 0, "\(run.errors)")
      let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("socket(") || $0.contains("connect(") }
      let refused = calls.filter { $0.contains("EPERM") }
      let local = calls.filter { $0.contains("socket(AF_UNIX") }
      #expect(calls.count == refused.count + local.count, "\(calls)")
    }
  }
}
