import Basics
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("metatag doctor and verify")
struct DoctorCommandTests {
  private let tool: Tool
  private let photos: Scratch
  private let photo: URL

  init() throws {
    (tool, photos) = (try Tool(), try Scratch())
    photo = try photos.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
  }

  private struct Findings {
    let status: Int32
    let rows: [[String: any Sendable]]

    var codes: [String] { rows.compactMap { $0["code"] as? String } }
  }

  private func findings(_ arguments: String...) throws -> Findings {
    let answer = try tool.run(list: ["doctor", "--json"] + arguments)
    let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: any Sendable]] ?? []
    return Findings(status: answer.status, rows: rows)
  }

  @Test("doctor reports a missing, a sound and a damaged journal.")
  func journal() throws {
    #expect(try findings().codes.first == "noJournal")
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let sound = try findings(photos.url.path)
    #expect(sound.status == 0 && sound.codes.starts(with: ["journal", "noLeftovers", "disk"]), "\(sound)")
    let journal = tool.home.url.appending(path: "state/metatag/journal.db")
    try Data(repeating: 7, count: 9_000).write(to: journal)
    try? FileManager.default.removeItem(at: journal.deletingLastPathComponent().appending(path: "journal.db-wal"))
    let damaged = try findings()
    #expect(damaged.status == 1 && damaged.codes.first == "journalUnreadable", "\(damaged)")
  }

  @Test(
    "doctor reports a journal that others can read, unless its folder keeps them out.",
    arguments: [("755", "644", false), ("711", "604", false), ("700", "666", true), ("755", "600", true)])
  func privacy(folder: String, file: String, isPrivate: Bool) throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let journal = tool.home.url.appending(path: "state/metatag")
    #expect(try Oracle.run("chmod", [file, journal.appending(path: "journal.db").path]).status == 0)
    #expect(try Oracle.run("chmod", [folder, journal.path]).status == 0)
    let found = try findings()
    #expect(found.status == (isPrivate ? 0 : 1))
    #expect(found.codes.first == (isPrivate ? "journal" : "journalNotPrivate"), "\(found)")
  }

  @Test("doctor reports changes that can't be undone any more.")
  func lostChanges() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    #expect(try findings().codes.first == "journal")
    let journal = tool.home.url.appending(path: "state/metatag/journal.db").path
    let change = "UPDATE operation SET digest = CAST(substr(digest, 2) || 'x' AS BLOB)"
    #expect(try Oracle.run("sqlite3", [journal, change]).status == 0)
    let found = try findings()
    #expect(found.status == 1 && found.codes.first == "lostChanges", "\(found)")
  }

  @Test("doctor lists old files that are kept because another program wrote to them, once their run has ended.")
  func keptFile() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let journal = tool.home.url.appending(path: "state/metatag/journal.db").path
    func query(_ sql: String) throws -> String {
      try Oracle.run("sqlite3", [journal, sql]).text.trimmingCharacters(in: .newlines)
    }
    let number = try query("UPDATE operation SET state = 'committed'; SELECT sequence FROM operation")
    let name = try ".metatag-\(query("SELECT token FROM journal"))-1-\(number).tmp"
    try Data([1, 2, 3]).write(to: photos.url.appending(path: name))
    let found = try findings()
    #expect(found.status == 1 && found.codes.contains("keptFile") && !found.codes.contains("unsettled"), "\(found)")
    let finding = try #require(found.rows.first { $0["code"] as? String == "keptFile" })
    let folder = try #require(FilePath(photos.url.path).resolved)
    #expect(finding["path"] as? String == folder.appending("aurora-01-jetty.jpg").string, "\(finding)")
    #expect(finding["kept"] as? String == folder.appending(name).string, "\(finding)")
    _ = try query("UPDATE run SET state = 'running'")
    let killed = try findings()
    #expect(killed.codes.contains("unsettled") && !killed.codes.contains("keptFile"), "\(killed)")
  }

  @Test("doctor names files that may be originals, and gives them a visible name only with --restore.")
  func restore() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    #expect(try tool("set", "--title", "a", photo.path).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: photos.url.path)
    let list = try tool("log", "--json")
    #expect(list.status == 0 && names.count == 1)
    let token = try Oracle.run(
      "sqlite3", [tool.home.url.appending(path: "state/metatag/journal.db").path, "SELECT token FROM journal"])
    let name = ".metatag-\(String(decoding: token.output, as: UTF8.self).trimmingCharacters(in: .newlines))-99-1.tmp"
    let original = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    try original.write(to: photos.url.appending(path: name))
    let found = try findings(photos.url.path)
    #expect(found.status == 1 && found.codes.contains("unknownFile"), "\(found)")
    // An undo names it, and gets a higher number than the run that the journal has lost.
    let undo = try tool("undo", "2")
    #expect(undo.status == 0 && undo.errors.contains(name), "\(undo.errors)")
    #expect(try tool("log").text.contains("\n100 "))
    // A run on the folder names it, too.
    let run = try tool("date", "shift", "+1h", photo.path)
    #expect(run.status == 0 && run.errors.contains(name) && run.errors.contains("doctor --restore"), "\(run.errors)")
    let restored = try tool("doctor", "--restore", photos.url.path)
    #expect(restored.status == 0, "\(restored.output)")
    let copy = photos.url.appending(path: "aurora-01-jetty-recovered.jpg")
    #expect(try Data(contentsOf: copy) == original)
    #expect(try findings(photos.url.path).status == 0)
  }

  @Test(
    "A file of another journal may be an original, too, also if there is no journal, or a damaged one.",
    arguments: 0...2)
  func foreign(journals: Int) throws {
    if journals > 0 { #expect(try tool("date", "shift", "+1h", photo.path).status == 0) }
    if journals > 1 {
      let journal = tool.home.url.appending(path: "state/metatag/journal.db")
      try? FileManager.default.removeItem(at: journal.deletingLastPathComponent().appending(path: "journal.db-wal"))
      try Data(repeating: 7, count: 9_000).write(to: journal)
    }
    let original = try Data(contentsOf: photo)
    for name in [".metatag-12345678-1-1.tmp", ".metatag-notes.txt"] {
      try original.write(to: photos.url.appending(path: name))
    }
    let found = try tool("doctor", photos.url.path)
    #expect(found.status == 1, "\(found.text)")
    #expect(found.text.contains("1-1.tmp: was left by a run with another journal"), "\(found.text)")
    #expect(!found.text.contains("notes.txt"))
    if journals == 1 {
      let run = try tool("set", "--title", "A", photo.path)
      #expect(run.status == 0 && run.errors.contains("doctor --restore"), "\(run.errors)")
    }
    #expect(try tool("doctor", "--restore", photos.url.path).text.contains("has a visible name now"))
    #expect(try Data(contentsOf: photos.url.appending(path: "aurora-01-jetty-recovered.jpg")) == original)
    let state = tool.home.url.appending(path: "state/metatag").path
    #expect(FileManager.default.fileExists(atPath: state) == (journals > 0))
  }

  @Test("doctor reports an empty journal and a link that leads nowhere, and no run begins with them.")
  func unusable() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let journal = tool.home.url.appending(path: "state/metatag/journal.db")
    try? FileManager.default.removeItem(at: journal.deletingLastPathComponent().appending(path: "journal.db-wal"))
    try Data().write(to: journal)
    let empty = try findings()
    #expect(empty.status == 1 && empty.codes.first == "journalUnreadable", "\(empty)")
    let content = try Data(contentsOf: photo)
    for command in [["date", "shift", "+1h", photo.path], ["undo"], ["log"], ["doctor", "--repair"]] {
      let run = try tool.run(list: command)
      #expect(run.status == 2, "\(command): \(run)")
      #expect((run.errors + run.text).contains("the journal is empty"), "\(command): \(run)")
    }
    #expect(try Data(contentsOf: photo) == content && Data(contentsOf: journal).isEmpty)
    try FileManager.default.removeItem(at: journal)
    let log = URL(filePath: journal.path + "-wal")
    try Data([1]).write(to: log)
    for command in [["date", "shift", "+1h", photo.path], ["undo"], ["log"]] {
      let run = try tool.run(list: command)
      #expect(run.status == 2 && run.errors.contains("journal.db is missing, but its log"), "\(command): \(run)")
    }
    #expect(try Data(contentsOf: photo) == content && Data(contentsOf: log).count == 1)
    try FileManager.default.removeItem(at: log)
    try FileManager.default.createSymbolicLink(atPath: journal.path, withDestinationPath: "nowhere")
    let dangling = try findings()
    #expect(dangling.status == 1 && dangling.codes.first == "journalUnreadable", "\(dangling)")
    #expect(try tool("date", "shift", "+1h", photo.path).status == 2)
    let target = journal.deletingLastPathComponent().appending(path: "nowhere")
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test("doctor and log report a journal that is a FIFO, and a folder of the journal that isn't one or leads nowhere.")
  func notAJournal() throws {
    let state = tool.home.url.appending(path: "state/metatag")
    let journal = state.appending(path: "journal.db")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    #expect(mkfifo(journal.path, 0o600) == 0)
    func expectUnreadable() throws {
      let found = try findings()
      #expect(found.status == 1 && found.codes.first == "journalUnreadable", "\(found)")
      #expect(try tool("log").status == 2)
    }
    try expectUnreadable()
    try FileManager.default.removeItem(at: state)
    try Data("x".utf8).write(to: state)
    try expectUnreadable()
    try FileManager.default.removeItem(at: state)
    try FileManager.default.createSymbolicLink(atPath: state.path, withDestinationPath: "nowhere")
    try expectUnreadable()
  }

  @Test("A lock that is a FIFO keeps nothing waiting.", .timeLimit(.minutes(1)))
  func lockIsFIFO() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let lock = tool.home.url.appending(path: "state/metatag/journal.lock")
    try FileManager.default.removeItem(at: lock)
    #expect(mkfifo(lock.path, 0o600) == 0)
    #expect(try tool("log").status == 0)
  }

  @Test("verify says if only the time is another, because then not every byte was compared.")
  func touched() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    #expect(try Oracle.run("touch", [photo.path]).status == 0)
    let found = try tool("verify", "1")
    #expect(found.status == 0 && found.text.contains("with another modification time"), "\(found.text)")
  }

  @Test("A damaged journal is repaired when the user says so, and its runs undo.")
  func repair() throws {
    let before = try sha256(photo)
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    #expect(try tool("doctor", "--repair").status == 0)
    let file = tool.home.url.appending(path: "state/metatag/journal.db")
    var bytes = try Data(contentsOf: file)
    let page = bytes.count / 4_096 - 1
    // The root pages of all indexes.
    for index in 1...page where [2, 10].contains(bytes[index * 4_096]) {
      bytes.replaceSubrange(index * 4_096..<index * 4_096 + 8, with: Data(repeating: 0xA5, count: 8))
    }
    try bytes.write(to: file)
    let refused = try tool("date", "shift", "+1h", photo.path)
    #expect(refused.status == 2 && refused.errors.contains("'metatag doctor --repair'"), "\(refused.errors)")
    #expect(try tool("doctor").text.contains("'metatag doctor --repair' makes a new one of what can be read"))
    let repaired = try tool("doctor", "--repair", "--json")
    #expect(repaired.text.contains("\"journalRepaired\"") && repaired.text.contains("journal.db.damaged-1"))
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == before)
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
  }

  @Test(
    "A journal whose status can't be read isn't replaced by a new one.",
    .enabled(if: Oracle.has("strace") && !hasSanitizer, "strace is missing, or there is a sanitizer"))
  func unreadableStatus() throws {
    let before = try sha256(photo)
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let journal = tool.home.url.appending(path: "state/metatag/journal.db").path
    for number in 1...8 {
      let fault = "inject=newfstatat:error=EACCES:when=\(number)"
      let words = ["-f", "-qq", "-o", "/dev/null", "-P", journal, "-e", "trace=newfstatat", "-e", fault]
      let command = [Tool.program, "set", "--title", "A\(number)", photo.path]
      _ = try Oracle.run("strace", words + command, environment: tool.environment())
    }
    for _ in 1...10 where try tool("undo").status != 0 { break }
    #expect(try sha256(photo) == before)
  }

  @Test("A repair that fails doesn't recommend itself.")
  func hopeless() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let file = tool.home.url.appending(path: "state/metatag/journal.db")
    let cut = try Data(contentsOf: file).prefix(8_192)
    try cut.write(to: file)
    let repaired = try tool("doctor", "--repair")
    #expect(repaired.status == 2 && repaired.errors.contains("could not repair the journal"), "\(repaired)")
    #expect(repaired.errors.contains("Move the folder away") && !repaired.errors.contains("doctor --repair"))
    #expect(try Data(contentsOf: file) == cut)
  }

  @Test("A journal that is a symbolic link can be written.")
  func linkedJournal() throws {
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    let file = tool.home.url.appending(path: "state/metatag/journal.db")
    let other = tool.home.url.appending(path: "other.db")
    try FileManager.default.moveItem(at: file, to: other)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
    let found = try tool("doctor")
    #expect(found.status == 0 && !found.text.contains("can't be written"), "\(found.text)")
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
  }

  @Test("verify finds files that the run renamed.")
  func verifyRenamed() throws {
    let wrong = photos.url.appending(path: "wrong.png")
    try FileManager.default.moveItem(at: photo, to: wrong)
    #expect(try tool("geotag", "--at", "46,7", "--overwrite", "replace", "--fix-extension", wrong.path).status == 0)
    #expect(try tool("verify", "1").text == "run 1: 2 as the run left it\n")
    let renamed = photos.url.appending(path: "wrong.jpg")
    try Data((try Data(contentsOf: renamed)) + Data([0])).write(to: renamed)
    let changed = try tool("verify", "1")
    #expect(changed.status == 1 && changed.text.contains("1 changed since the run"), "\(changed.text)")
  }

  @Test("verify names the files that are no longer as a run left them.")
  func verify() throws {
    let other = try photos.copy(Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg"))
    #expect(try tool("date", "shift", "+1h", photos.url.path).status == 0)
    let whole = try tool("verify", "1")
    #expect(whole.status == 0 && whole.text == "run 1: 2 as the run left it\n", "\(whole.text)")
    #expect(try tool("set", "--title", "Later", photo.path).status == 0)
    let later = try tool("verify", "1")
    #expect(later.status == 0)
    // Only files in trouble are named, so that one of them is seen.
    #expect(later.text == "run 1: 1 as the run left it, 1 changed by a later run\n", "\(later.text)")
    let saved = try Data(contentsOf: photo)
    try saved.dropLast(100).write(to: photo)
    let cut = try tool("verify", "1")
    #expect(cut.status == 1 && cut.text.contains("\(photo.lastPathComponent): changed since the run"), "\(cut.text)")
    try FileManager.default.removeItem(at: photo)
    let gone = try tool("verify", "1")
    #expect(gone.status == 1 && gone.text.contains("\(photo.lastPathComponent): not where the run left it"))
    try saved.write(to: photo)
    let handle = try FileHandle(forWritingTo: other)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    let changed = try tool("verify", "1")
    #expect(changed.status == 1 && changed.text.contains("aurora-02-island.jpg: changed since the run"))
    try FileManager.default.removeItem(at: other)
    #expect(try tool("verify", "1").text.contains("aurora-02-island.jpg: not where the run left it"))
    #expect(try tool("verify", "7").status == 2)
  }

  @Test(
    "Versions of packages are ordered as dpkg orders them.",
    arguments: [
      ("1.0.11-1", "1.0.11-1+deb12u3"), ("1.0.11-1+deb12u2", "1.0.11-1+deb12u3"),
      ("2.5.0-1+deb12u1", "2.5.0-1+deb12u10"),
      ("1.0~rc1-1", "1.0-1"), ("9.9-9", "1:0.1-1"), ("0.9-1", "0.10-1"), ("1.2.13.dfsg-1", "1.2.14-1"),
      ("1.0-1", "1.0a-1"),
    ])
  func versions(_ earlier: String, _ later: String) {
    #expect(DebianVersion(earlier) < DebianVersion(later))
    #expect(!(DebianVersion(later) < DebianVersion(earlier)))
    #expect(!(DebianVersion(later) < DebianVersion(later)))
  }

  @Test("Only installed libraries with known holes are named.")
  func libraries() {
    let database = """
      Package: libheif1
      Status: install ok installed
      Version: 1.15.1-1

      Package: libexif12
      Version: 0.6.25-1

      """
    #expect(InstalledPackages(text: database).outdated.map(\.name) == ["libheif1"])
  }
}
