import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Undo")
struct UndoTests {
  @Test("Undoing an undo restores the change, and undoing that reverts it again.")
  func undoOfUndo() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let first = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    let changed = desk.status(path).st_mtim
    let second = try desk.undo(first).run
    #expect(try desk.journal().newestRunToUndo() == nil)
    #expect(try desk.undo(second).outcomes == [.restored])
    #expect(try desk.read(path) == [1, 2] + noise(100))
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(changed))
    #expect(try desk.journal().newestRunToUndo() == first)
    #expect(try desk.undo(first).outcomes == [.restored])
    #expect(try desk.read(path) == noise(100))
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
    let runs = try desk.journal().runs(limit: 9)
    #expect(runs.map(\.undoes) == [first, second, first, nil])
    #expect(runs.last?.undone == 1)
  }

  @Test("Runs are undone from the newest to the oldest.")
  func history() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let first = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    let second = try desk.change([path], [Splice(50..<60, [])]).run
    let error = FileError(
      .changedByLaterRun, "modified after this run, by run \(second)", remedy: .undoFirst(Int(second.rawValue)))
    #expect(try desk.undo(first).outcomes == [.notRestored(error)])
    #expect(try desk.journal().newestRunToUndo() == second)
    #expect(try desk.undo(second).outcomes == [.restored])
    #expect(try desk.journal().newestRunToUndo() == first)
    #expect(try desk.undo(first).outcomes == [.restored])
    #expect(try desk.read(path) == noise(100))
  }

  @Test("A photo that one run changed twice is restored in two steps.")
  func twice() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let run: RunID
    do {
      let journal = try desk.journal()
      run = try desk.begin(journal)
      let rewriter = Rewriter(journal: journal, run: run)
      for _ in 0..<2 {
        let source = try FileSource(path)
        let patch = try Patch([Splice(0..<0, [1, 2])], to: source.count, imageData: [])
        let results = rewriter.commit([try rewriter.stage(source, at: path, patch: patch, check: accept)])
        #expect(results.compactMap(\.error) == [])
      }
    }
    #expect(try desk.read(path).count == 104)
    #expect(try desk.undo(run).outcomes == [.restored, .restored])
    #expect(try desk.read(path) == noise(100))
  }

  @Test("A photo with another modification time gets a message with the command that allows its undo.")
  func touched() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let run = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    #expect(utimensat(AT_FDCWD, path.string, [Desk.modified, Desk.modified], 0) == 0)
    guard case .notRestored(let error) = try desk.undo(run).outcomes.first else {
      Issue.record("undone")
      return
    }
    guard case .restoreFileTime(let seconds, let nanoseconds)? = error.remedy else {
      Issue.record("\(error)")
      return
    }
    let time = "@\(seconds).\(nanoseconds.padded(9))"
    #expect(try Oracle.run("touch", ["-m", "-d", time, path.string]).status == 0)
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == noise(100))
  }

  @Test("A photo changed since is kept, and the recoverable original is written next to it.")
  func changedSince() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let run = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    var theirs = [1, 2] + noise(100)
    theirs[90] ^= 1
    try desk.write(theirs, to: path)
    #expect(try desk.undo(run).outcomes.map(\.isRestored) == [false])
    #expect(try desk.read(path) == theirs)
    let outcome = try desk.undo(run, writesBeside: true).outcomes.first
    guard case .writtenBeside(let beside, _) = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(beside.lastComponent?.string == "a.jpg.metatag-original")
    #expect(try desk.read(beside) == Array(theirs.dropFirst(2)))
    #expect(try desk.read(path) == theirs)
    #expect(try desk.leftovers() == [])
  }

  @Test("A photo is restored even if its mode changed or it was moved away and back.")
  func sameBytes() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let run = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    #expect(try Oracle.run("cp", ["-p", path.string, path.string + "2"]).status == 0)
    #expect(rename(path.string + "2", path.string) == 0)
    #expect(chmod(path.string, 0o600) == 0)
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == noise(100))
    #expect(desk.status(path).st_mode & 0o777 == 0o600)
  }

  @Test("A missing photo is reported as missing.")
  func gone() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let run = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    #expect(rename(path.string, path.string + ".moved") == 0)
    let error = FileError(.notAtOriginalPath, "not found at its original path", remedy: .moveBack)
    #expect(try desk.undo(run).outcomes == [.notRestored(error)])
    #expect(rename(path.string + ".moved", path.string) == 0)
    #expect(try desk.undo(run).outcomes == [.restored])
  }
}

extension Undo.Outcome {
  var isRestored: Bool { self == .restored }
}
