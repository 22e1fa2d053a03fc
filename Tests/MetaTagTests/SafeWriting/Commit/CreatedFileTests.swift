@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("New files")
struct CreatedFileTests {
  static let bytes = noise(70_000, seed: 4)

  @Test("A new file has its bytes, and the mode, owner, times and attributes of the source.")
  func attributeSource() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    try desk.set("user.rating", Array("5".utf8), photo)
    #expect(chmod(photo.string, 0o604) == 0)
    let before = try desk.attributes(photo)
    #expect(try desk.create(Self.bytes, as: "a.JPG", like: photo).error == nil)
    let new = desk.photos.appending("a.JPG")
    #expect(try desk.attributes(new) == before)
    #expect(try desk.read(new) == Self.bytes)
    #expect(try desk.read(photo) == noise(500))
    #expect(try desk.leftovers() == [])
  }

  @Test("The log counts a new file, and undo removes it and keeps all others.")
  func undo() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let run = try desk.create(Self.bytes, as: "a.JPG", like: photo).run
    #expect(try desk.journal().runs(limit: 1).map(\.created) == [1])
    #expect(try desk.journal().runs(limit: 1).map(\.changed) == [0])
    #expect(try desk.journal().operations(of: run).map { $0.kind == .creation } == [true])
    #expect(try desk.undo(run).outcomes == [.removed])
    #expect(try Directory(desk.photos).names().map(\.string) == ["a.jpg"])
    #expect(try desk.journal().runs(limit: 2).map(\.undone) == [0, 1])
    #expect(try desk.journal().newestRunToUndo() == nil)
  }

  @Test("Undoing the removal of a new file says that it can't be restored.")
  func undoOfUndo() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let undo = try desk.undo(try desk.create(Self.bytes, as: "a.JPG", like: photo).run).run
    let outcomes = try desk.undo(undo).outcomes
    guard case .notRestored(let error)? = outcomes.first, outcomes.count == 1 else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(error.code == .notRestorable && error.remedy == .createAgain)
  }

  /// Changes to a new file before its undo.
  static let lives: [(name: String, act: @Sendable (Desk, FilePath) throws -> Void, isRemoved: Bool)] = [
    ("touched", { _, path in utimensat(AT_FDCWD, path.string, nil, 0) }, true),
    ("one byte changed", { try $0.write(noise(70_000, seed: 4).dropLast() + [1], to: $1) }, false),
    ("made longer", { try $0.write(noise(70_001, seed: 4), to: $1) }, false),
    ("gone", { unlink($1.string) }, false),
    (
      "a link now",
      { desk, path in
        try desk.write(noise(70_000, seed: 4), to: desk.photos.appending("elsewhere"))
        unlink(path.string)
        symlink("elsewhere", path.string)
      }, false
    ),
  ]

  @Test("Undo removes a new file only if it hasn't changed.", arguments: lives.indices, [false, true])
  func undoOfChanged(_ index: Int, writesBeside: Bool) throws {
    let life = Self.lives[index]
    let desk = try Desk()
    let run = try desk.create(Self.bytes, as: "a.JPG", like: try desk.photo(noise(500))).run
    let new = desk.photos.appending("a.JPG")
    try life.act(desk, new)
    let before = try Directory(desk.photos).names().map(\.string).sorted()
    let outcomes = try desk.undo(run, writesBeside: writesBeside).outcomes
    let after = try Directory(desk.photos).names().map(\.string).sorted()
    if life.isRemoved {
      #expect(outcomes == [.removed])
      #expect(after == ["a.jpg"])
    } else {
      guard case .notRestored(let error)? = outcomes.first else {
        Issue.record("\(outcomes)")
        return
      }
      #expect(error.kind != .malformed)
      #expect(after == before)
    }
  }

  @Test("A new file changed by a later run is removed once that run is undone.")
  func laterRun() throws {
    let desk = try Desk()
    let first = try desk.create(Self.bytes, as: "a.JPG", like: try desk.photo(noise(500))).run
    let new = desk.photos.appending("a.JPG")
    let second = try desk.change([new], [Splice(0..<0, [1, 2])]).run
    #expect(try desk.undo(first).outcomes.map(\.isRestored) == [false])
    #expect(try desk.undo(second).outcomes == [.restored])
    #expect(try desk.undo(first).outcomes == [.removed])
  }

  @Test(
    "A taken name is never overwritten; the next free number goes before the extension.",
    arguments: [
      ("IMG_1.JPG", ["IMG_1-1.JPG", "IMG_1-2.JPG"]), (".JPG", [".JPG-1", ".JPG-2"]), ("a", ["a-1", "a-2"]),
      ("a.b.JPG", ["a.b-1.JPG", "a.b-2.JPG"]),
    ])
  func takenName(_ name: String, _ numbered: [String]) throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500), "photo.heic")
    try desk.photo(noise(9), name)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    // Staged in one order, named in another: the second order decides.
    let last = try desk.stage(noise(30, seed: 3), as: name, like: photo, by: rewriter)
    let first = try desk.stage(noise(20, seed: 2), as: name, like: photo, by: rewriter)
    var names = NewNames()
    let group = try [first, last].compactMap { try names.name($0) }
    #expect(rewriter.commit(group).compactMap(\.error) == [])
    #expect(try desk.read(desk.photos.appending(name)) == noise(9))
    #expect(try desk.read(desk.photos.appending(numbered[0])) == noise(20, seed: 2))
    #expect(try desk.read(desk.photos.appending(numbered[1])) == noise(30, seed: 3))
  }

  @Test("The same file is not created twice, except by one run that creates it twice.")
  func sameFile() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    #expect(try desk.create(Self.bytes, as: "a.JPG", like: photo).error == nil)
    #expect(try desk.create(Self.bytes, as: "a.JPG", like: photo).error == nil)
    #expect(try Directory(desk.photos).names().map(\.string).sorted() == ["a.JPG", "a.jpg"])
    #expect(try desk.leftovers() == [])
    var names = NewNames()
    let folder = try Directory(desk.photos)
    let content = try WholeContent(Bytes([1, 2]))
    let name: FilePath.Component = "b.JPG"
    guard case .free = try names.name(name, in: folder, for: content) else {
      Issue.record("b.JPG is free")
      return
    }
    try desk.photo([1, 2], "b.JPG")
    guard case .free(let second) = try names.name(name, in: folder, for: content) else {
      Issue.record("the answer depends on whether the first is on the disk yet")
      return
    }
    #expect(second.string == "b-1.JPG")
  }

  @Test("A name that another program takes in the meantime is not overwritten.")
  func race() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    var names = NewNames()
    let file = try #require(try names.name(try desk.stage(Self.bytes, as: "a.JPG", like: photo, by: rewriter)))
    try desk.photo(noise(9), "a.JPG")
    #expect(rewriter.commit([file]).first?.error?.kind == .conflict)
    #expect(try desk.read(desk.photos.appending("a.JPG")) == noise(9))
    #expect(try desk.leftovers() == [])
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.conflict])
  }

  @Test("A new file that is rejected or discarded leaves nothing behind.")
  func withdrawn() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let name: FilePath.Component = "a.JPG"
    #expect(throws: FileError(.malformed, "no")) {
      try rewriter.stage(new: Self.bytes, as: name, in: try Directory(desk.photos), like: try FileSource(photo)) {
        new throws(FileError) in
        #expect(try new.bytes(0..<new.count).array == Self.bytes)
        throw FileError(.malformed, "no")
      }
    }
    try desk.stage(Self.bytes, as: "a.JPG", like: photo, by: rewriter).discard()
    #expect(try Directory(desk.photos).names().map(\.string) == ["a.jpg"])
  }

  @Test("A sidecar isn't created if its photo was renamed or removed meanwhile, also if it would be the second one.")
  func withoutOwner() throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let created = try desk.stage(Self.bytes, as: "a.jpg.xmp", like: photo, by: rewriter)
    let file = try created.named("a.jpg.xmp", besides: photo)
    #expect(rename(photo.string, photo.string + ".png") == 0)
    let results = rewriter.commit([file])
    guard case .failure(let error)? = results.first else {
      Issue.record("created")
      return
    }
    #expect(error.code == .noSuchFile)
    #expect(try Directory(desk.photos).names().map(\.string) == ["a.jpg.png"])
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.failed])
  }

  /// Begins to create a new file `a.JPG`, and takes this number of steps.
  private func cutOff(after steps: Int, at desk: Desk, like photo: FilePath) throws {
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    var names = NewNames()
    let file = try #require(try names.name(try desk.stage(Self.bytes, as: "a.JPG", like: photo, by: rewriter)))
    desk.take(steps, of: GroupCommit([file], journal: journal))
  }

  @Test("A run cut off at any step leaves the whole new file or none, and nothing else.", arguments: 0...8)
  func cutOff(_ steps: Int) throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let new = desk.photos.appending("a.JPG")
    try cutOff(after: steps, at: desk, like: photo)
    let journal = try desk.journal()
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.unreachable == [] && report.orphans == [])
    #expect(report.finished == ((4...5).contains(steps) ? [new] : []))
    #expect(report.restored == ((1...3).contains(steps) ? [new] : []))
    #expect(try Directory(desk.photos).names().map(\.string).sorted() == (steps > 3 ? ["a.JPG", "a.jpg"] : ["a.jpg"]))
    #expect(try desk.leftovers() == [])
    if steps > 3 { #expect(try desk.read(new) == Self.bytes) }
    #expect(try journal.recover().isEmpty)
    #expect(try journal.runs(limit: 1).map(\.created) == [steps > 3 ? 1 : 0])
    #expect((try journal.newestRunToUndo() != nil) == (steps > 3))
  }

  @Test("An undo cut off at any step leaves the new file whole or removed.", arguments: 0...8)
  func cutOffUndo(_ steps: Int) throws {
    let desk = try Desk()
    let new = desk.photos.appending("a.JPG")
    let run = try desk.create(Self.bytes, as: "a.JPG", like: try desk.photo(noise(500))).run
    do {
      let journal = try desk.journal()
      let entry = try #require(try journal.undoable(in: run).first)
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal, undoing: run))
      let place = try DirectoryEntry(resolving: new)
      let file = try rewriter.stage(removalOf: try place.open(), at: place, undoing: entry.key)
      desk.take(steps, of: GroupCommit([file], journal: journal))
    }
    let report = try desk.journal().recover()
    #expect(report.conflicts == [])
    #expect(report.finished == ((4...5).contains(steps) ? [new] : []))
    #expect(report.restored == ((1...3).contains(steps) ? [new] : []))
    #expect(try Directory(desk.photos).names().map(\.string).sorted() == (steps > 3 ? ["a.jpg"] : ["a.JPG", "a.jpg"]))
    guard steps <= 3 else {
      #expect(try desk.journal().newestRunToUndo() == nil)
      return
    }
    #expect(try desk.read(new) == Self.bytes)
    #expect(try desk.undo(run).outcomes == [.removed])
  }

  @Test(
    "Recovery removes a new file that the disk lost, and keeps one that another program wrote.",
    arguments: [true, false])
  func torn(isOurs: Bool) throws {
    let desk = try Desk()
    let photo = try desk.photo(noise(500))
    let new = desk.photos.appending("a.JPG")
    try cutOff(after: 4, at: desk, like: photo)
    let times = [Desk.modified, Desk.modified]
    #expect(truncate(new.string, isOurs ? 0 : 100) == 0)
    utimensat(AT_FDCWD, new.string, times, 0)
    let report = try desk.journal().recover()
    #expect(report.conflicts.map(\.path) == (isOurs ? [] : [new]))
    #expect(try Directory(desk.photos).names().map(\.string).sorted() == (isOurs ? ["a.jpg"] : ["a.JPG", "a.jpg"]))
  }
}
