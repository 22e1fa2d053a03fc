@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Old files")
struct OldFilesTests {
  /// Another program that has a file open for writing.
  struct Writer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(of path: FilePath) throws {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "exec 3>>\"$1\"; echo open; read word; printf edit >&3", "sh", path.string]
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      _ = output.fileHandleForReading.readData(ofLength: 5)
    }

    /// Lets the program write, and waits until it has ended.
    func finish() throws {
      try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
      process.waitUntilExit()
    }
  }

  private static let splices = [Splice(20..<30, noise(500, seed: 9))]

  private static func staged(_ path: FilePath, by rewriter: Rewriter) throws -> StagedFile {
    let source = try FileSource(path)
    return try rewriter.stage(
      source, at: path, patch: try Patch(splices, to: source.count, imageData: []), check: accept)
  }

  /// A run whose only photo is changed, and which has not ended.
  private static func changed(_ desk: Desk, _ path: FilePath) throws -> (journal: Journal, rewriter: Rewriter) {
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    #expect(rewriter.commit([try staged(path, by: rewriter)]).compactMap(\.error) == [])
    return (journal, rewriter)
  }

  @Test("Old files are removed at the end of the run, or when the photo is renamed.", arguments: [false, true])
  func go(renaming: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    let (journal, rewriter) = try Self.changed(desk, path)
    if renaming { try rewriter.rename([Rewriter.Renaming(path: path, name: "b.jpg")]) } else { rewriter.finish() }
    #expect(try desk.leftovers() == [])
    #expect(try journal.operations(of: rewriter.run).allSatisfy { $0.state == .cleaned })
  }

  @Test(
    "A photo that another program has open for writing is left as it is, with the reason.", arguments: [false, true])
  func openForWriting(inPlace: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    if inPlace { #expect(link(path.string, path.string + ".link") == 0) }
    let writer = try Writer(of: path)
    let splices = inPlace ? [Splice(20..<24, [1, 2, 3, 4])] : Self.splices
    #expect(try desk.change([path], splices).results.map(\.error?.code) == [.openForWriting])
    #expect(try desk.read(path) == noise(900) && desk.leftovers() == [])
    try writer.finish()
    #expect(try desk.read(path) == noise(900) + Array("edit".utf8))
    #expect(try desk.change([path], splices).results.map(\.error) == [nil])
  }

  @Test("The name and time of such a file stay, too.")
  func openForWriting() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let writer = try Writer(of: path)
    let error = #expect(throws: FileError.self) {
      try rewriter.rename([Rewriter.Renaming(path: path, name: "b.jpg")])
    }
    #expect(error?.code == .openForWriting)
    let now = try FileIdentity(of: try Directory(desk.photos).open("a.jpg", O_RDONLY))
    let results = rewriter.setTimes([TimeChange(path, from: now, to: FileTime(seconds: 1_000_000_000, nanoseconds: 0))])
    #expect(results.map(\.error?.code) == [.openForWriting])
    try writer.finish()
    #expect(try desk.read(path) == noise(900) + Array("edit".utf8))
    #expect(try journal.recover().isEmpty)
  }

  @Test("An old file that a program opened before the exchange, and has still open, is kept and named.")
  func openedBefore() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    var oldFiles = desk.take(7, of: GroupCommit([try Self.staged(path, by: rewriter)], journal: journal))
    let old = desk.photos.appending(try #require(try desk.leftovers().first))
    let writer = try Writer(of: old)
    oldFiles.removeAll(journal: journal)
    #expect(try journal.keptFiles(of: rewriter.run).map(\.kept) == [old])
    #expect(try journal.keptFiles(of: rewriter.run).map(\.path) == [path])
    try journal.finishRun(rewriter.run)
    #expect(try journal.recover().conflicts.map(\.path) == [path])
    #expect(try Leftover.all(in: [desk.photos], of: journal, removing: true).map(\.use) == [.kept])
    try writer.finish()
    #expect(try desk.read(old) == noise(900) + Array("edit".utf8))
  }

  @Test("An old file that another program wrote to stays, and recovery reports it.")
  func foreign() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    do {
      let journal = try desk.journal()
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      var oldFiles = desk.take(7, of: GroupCommit([try Self.staged(path, by: rewriter)], journal: journal))
      let old = try #require(try desk.leftovers().first)
      try desk.write(noise(60, seed: 5), to: desk.photos.appending(old))
      oldFiles.removeAll(journal: journal)
      #expect(try journal.operations(of: rewriter.run).map(\.state) == [.committed])
    }
    let report = try desk.journal().recover()
    #expect(report.conflicts.map(\.path) == [path])
    let old = try #require(try desk.leftovers().first)
    #expect(try desk.read(desk.photos.appending(old)) == noise(60, seed: 5))
    #expect(try desk.read(path).count == 1_390)
    // It is reported once, and the change can be undone.
    #expect(try desk.journal().recover().isEmpty)
    let run = try #require(try desk.journal().newestRunToUndo())
    #expect(try desk.undo(run).outcomes == [.restored])
  }

  @Test("The old file of an offloaded photo stays, and is removed once the photo is back.")
  func offloading() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    do {
      let journal = try desk.journal()
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      desk.take(7, of: GroupCommit([try Self.staged(path, by: rewriter)], journal: journal))
    }
    #expect(rename(path.string, path.string + ".away") == 0)
    #expect(try desk.journal().recover().unreachable.map(\.path) == [path])
    #expect(rename(path.string + ".away", path.string) == 0)
    #expect(try desk.journal().recover().isEmpty && desk.leftovers() == [])
    let run = try #require(try desk.journal().newestRunToUndo())
    #expect(try desk.undo(run).outcomes == [.restored])
  }

  @Test("Recovery removes an old file whose removal had not reached the disk.")
  func broughtBack() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    var commit = GroupCommit([try Self.staged(path, by: rewriter)], journal: journal)
    commit.record()
    commit.prepare()
    commit.verify()
    commit.swap()
    commit.finish()
    commit.settle()
    let old = desk.photos.appending(try #require(try desk.leftovers().first))
    let aside = desk.scratch.url.filePath.appending("aside")
    #expect(link(old.string, aside.string) == 0)
    var oldFiles = OldFiles { _ in false }
    commit.clean(into: &oldFiles)
    #expect(try desk.leftovers() == [])
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.committed])
    #expect(rename(aside.string, old.string) == 0)
    #expect(try journal.recover().conflicts == [])
    #expect(try desk.leftovers() == [])
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.cleaned])
    #expect(try desk.read(path).count == 1_390)
  }

  @Test("Old files are settled once their removal is on the disk, with one record for all groups.")
  func forgotten() throws {
    let desk = try Desk()
    let paths = try ["a.jpg", "b.jpg"].map { try desk.photo(noise(900), $0) }
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    var oldFiles = OldFiles { _ in false }
    for path in paths {
      var commit = rewriter.change([try Self.staged(path, by: rewriter)])
      commit.settle()
      commit.clean(into: &oldFiles)
    }
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.committed, .committed])
    oldFiles.removeAll(journal: journal)
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.cleaned, .cleaned])
    try journal.finishRun(rewriter.run)
    #expect(try journal.folders().isEmpty)
  }

  @Test("An old file stays if the folder allows it, and is removed at once otherwise.")
  func limits() throws {
    for mayStay in [true, false] {
      let desk = try Desk()
      let path = try desk.photo(noise(900))
      let journal = try desk.journal()
      let folder = try DirectoryEntry(resolving: path).folder
      var oldFiles = OldFiles { _ in mayStay }
      _ = try desk.photo(noise(10), "old")
      let old = try #require(try folder.identity(of: "old"))
      let key = JournalEntry.Key(run: 1, sequence: 1)
      oldFiles.add([OldFiles.File(key: key, old: old, folder: folder, name: "old")], journal: journal)
      #expect(try (folder.identity(of: "old") != nil) == mayStay)
    }
  }
}
