@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Renaming")
struct RenamingTests {
  private func name(_ text: String) throws -> FilePath.Component { try #require(FilePath.Component(text)) }

  private func names(_ desk: Desk) throws -> [String] { try Directory(desk.photos).names().map(\.string).sorted() }

  @Test("A file is renamed, undo restores the old name, and undoing that the new one.")
  func roundTrip() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70), "a.JPG")
    let new = try name("a.HEIC")
    // As a run does it: first the bytes, then the name.
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch([Splice(0..<1, [2, 3])], to: 70, imageData: [])
    let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    #expect(rewriter.commit([staged]).compactMap(\.error) == [])
    try rewriter.rename([.init(path: path, name: new)])
    #expect(try names(desk) == ["a.HEIC"])

    var runs = [rewriter.run]
    for isOld in [true, false, true, false] {
      let undo = try desk.begin(journal, undoing: runs[runs.count - 1])
      var outcomes: [Undo.Outcome] = []
      try Undo(runs[runs.count - 1], as: undo, in: journal)({ outcomes.append($1) })
      #expect(Set(outcomes) == [.restored, .renamed], "\(outcomes)")
      #expect(try names(desk) == [isOld ? "a.JPG" : "a.HEIC"])
      let bytes = try desk.read(desk.photos.appending(isOld ? "a.JPG" : "a.HEIC"))
      #expect(bytes == (isOld ? noise(70) : [2, 3] + noise(70).dropFirst()))
      runs.append(undo)
    }
  }

  @Test("Renaming never overwrites a file, and refuses a link.")
  func refused() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70), "a.JPG")
    try desk.photo(noise(5), "a.HEIC")
    #expect(symlink("a.JPG", desk.photos.appending("b.JPG").string) == 0)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    for (path, new) in [(path, "a.HEIC"), (desk.photos.appending("b.JPG"), "b.HEIC")] {
      let error = #expect(throws: FileError.self) { try rewriter.rename([.init(path: path, name: try name(new))]) }
      #expect(error?.kind == .refused)
    }
    #expect(try names(desk) == ["a.HEIC", "a.JPG", "b.JPG"])
    #expect(try desk.read(desk.photos.appending("a.HEIC")) == noise(5))
  }

  @Test("A file that has been replaced keeps its name.")
  func changedSince() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70), "a.JPG")
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    try rewriter.rename([.init(path: path, name: try name("a.HEIC"))])
    try desk.write(noise(9), to: desk.photos.appending("a.HEIC"))
    var outcomes: [Undo.Outcome] = []
    try Undo(rewriter.run, as: try desk.begin(journal, undoing: rewriter.run), in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.notRestored(FileError(.modifiedAfterRun, "modified after this run"))])
    #expect(try names(desk) == ["a.HEIC"])
  }

  /// Records that `path` is to be renamed a.HEIC, as a run does before it renames.
  private func record(_ desk: Desk, _ path: FilePath, _ run: RunID, in journal: Journal) throws {
    let identity = FileIdentity(desk.status(path))
    let entry = JournalEntry(
      run: run.rawValue, sequence: 1, folder: Data(desk.photos.bytes), name: Data("a.JPG".utf8),
      scratch: Data("a.HEIC".utf8), method: .renaming, old: identity, new: identity, digest: Data())
    try journal.record([(entry, try Patch([], to: 70, imageData: []), nil)])
  }

  @Test("A run killed while it renames leaves one name, which the journal knows.", arguments: [false, true])
  func killed(isDone: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70), "a.JPG")
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    try record(desk, path, run, in: journal)
    if isDone { #expect(rename(path.string, desk.photos.appending("a.HEIC").string) == 0) }
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.finished.count == (isDone ? 1 : 0))
    #expect(try journal.recover().isEmpty)
    #expect(try names(desk) == [isDone ? "a.HEIC" : "a.JPG"])
    guard isDone else { return }
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: try desk.begin(journal, undoing: run), in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.renamed])
    #expect(try names(desk) == ["a.JPG"])
  }

  @Test("A file that was renamed before a kill and changed after it keeps its new name, and the journal knows it.")
  func changedAfterKill() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70), "a.JPG")
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    try record(desk, path, run, in: journal)
    // Written first, so that it doesn't get the number of the removed one.
    try desk.write(noise(9), to: desk.photos.appending("a.HEIC"))
    #expect(unlink(path.string) == 0)
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.finished.count == 1)
    #expect(try journal.operations(of: run).map(\.state) == [.cleaned])
    // It may be another file.
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: try desk.begin(journal, undoing: run), in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.notRestored(FileError(.modifiedAfterRun, "modified after this run"))])
    #expect(try names(desk) == ["a.HEIC"])
  }

  /// A photo and its sidecar, with the wrong extension.
  private func pair(on desk: Desk) throws -> [FilePath] {
    [try desk.photo(noise(70), "a.JPG"), try desk.photo(noise(9), "a.JPG.xmp")]
  }

  private func renamings(_ paths: [FilePath]) throws -> [Rewriter.Renaming] {
    try zip(paths, ["a.HEIC", "a.HEIC.xmp"]).map { .init(path: $0, name: try name($1)) }
  }

  /// A run that was cut off when `count` of a pair's files had their new names.
  private func cutOff(after count: Int, on desk: Desk, in journal: Journal) throws -> RunID {
    let run = try desk.begin(journal)
    let changes = Array(zip(try pair(on: desk), ["a.HEIC", "a.HEIC.xmp"]))
    let entries = changes.enumerated().map { index, change in
      let identity = FileIdentity(desk.status(change.0))
      return JournalEntry(
        run: run.rawValue, sequence: index + 2, folder: Data(desk.photos.bytes),
        name: Data(change.0.lastComponent?.bytes ?? []), scratch: Data(change.1.utf8), method: .renaming, old: identity,
        new: identity, digest: Data(), atomicGroup: 1)
    }
    try journal.record(entries.map { ($0, try Patch([], to: $0.old.size, imageData: []), nil) })
    for (path, new) in changes.prefix(count) {
      #expect(rename(path.string, desk.photos.appending(new).string) == 0)
    }
    return run
  }

  @Test(
    "Recovery completes the renaming of a photo and its sidecar once one has its new name.",
    arguments: 0...2, [false, true])
  func killedBetween(after count: Int, cutOffAgain: Bool) throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let run = try cutOff(after: count, on: desk, in: journal)
    if cutOffAgain {
      var recovery = Recovery(journal: journal)
      try recovery.settle(try journal.unsettled().entries[0])
    }
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.unreachable == [])
    #expect(try journal.recover().isEmpty)
    #expect(try names(desk) == (count == 0 ? ["a.JPG", "a.JPG.xmp"] : ["a.HEIC", "a.HEIC.xmp"]))
    guard count > 0 else { return }
    #expect(try desk.undo(run, in: journal) == [.renamed, .renamed])
    #expect(try names(desk) == ["a.JPG", "a.JPG.xmp"])
  }

  @Test("If one of two files can't be renamed, neither is, and the reason says which.")
  func allOrNone() throws {
    let desk = try Desk()
    let paths = try pair(on: desk)
    try desk.photo(noise(5), "a.HEIC.xmp")
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let error = #expect(throws: FileError.self) { try rewriter.rename(try renamings(paths)) }
    #expect(
      error?.code == .nameTaken && error?.description.hasPrefix("a.JPG.xmp can't be renamed to a.HEIC.xmp") == true)
    #expect(try names(desk) == ["a.HEIC.xmp", "a.JPG", "a.JPG.xmp"])
  }

  @Test("A pair gets its old names together or not at all, and a missing file prevents nothing.")
  func undoneTogether() throws {
    let desk = try Desk()
    let paths = try pair(on: desk)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    try rewriter.rename(try renamings(paths))
    let sidecar = desk.photos.appending("a.HEIC.xmp")
    try desk.write(noise(12), to: sidecar)
    let outcomes = try desk.undo(rewriter.run, in: journal)
    #expect(outcomes.count == 2 && outcomes.allSatisfy { if case .notRestored = $0 { true } else { false } })
    #expect(try names(desk) == ["a.HEIC", "a.HEIC.xmp"])
    #expect(unlink(sidecar.string) == 0)
    let gone = FileError(.notAtOriginalPath, "not found at its original path", remedy: .moveBack)
    #expect(try Set(desk.undo(rewriter.run, in: journal)) == [.renamed, .notRestored(gone)])
    #expect(try names(desk) == ["a.JPG"])
  }

  @Test("Files of one group, by content and by name, are restored together or not at all.", arguments: [false, true])
  func contentAndName(isChangedSince: Bool) throws {
    let desk = try Desk()
    let raw = try desk.photo(noise(70), "A.cr2")
    let paths = [try desk.photo(noise(70), "a.JPG"), try desk.photo(noise(9), "a.JPG.xmp")]
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let atomicGroup = rewriter.atomicGroup()
    let staged = try [raw, paths[0]].map { path in
      let patch = try Patch([Splice(0..<1, [2, 3])], to: 70, imageData: [])
      return try rewriter.stage(try FileSource(path), at: path, patch: patch, atomicGroup: atomicGroup, check: accept)
    }
    #expect(rewriter.commit(staged).compactMap(\.error) == [])
    try rewriter.rename(try renamings(paths))
    if isChangedSince { try desk.write(noise(12), to: desk.photos.appending("a.HEIC.xmp")) }
    var trial: [Undo.Outcome] = []
    try Undo.trial(of: rewriter.run, in: journal) { trial.append($1) }
    let outcomes = try desk.undo(rewriter.run, in: journal)
    #expect(outcomes.count == 4 && trial.count == 4)
    guard isChangedSince else {
      #expect(Set(outcomes) == [.restored, .renamed] && Set(trial) == Set(outcomes))
      #expect(try names(desk) == ["A.cr2", "a.JPG", "a.JPG.xmp"])
      #expect(try desk.read(raw) == noise(70) && desk.read(paths[0]) == noise(70))
      return
    }
    for outcome in outcomes + trial {
      guard case .notRestored(let error) = outcome else { throw Unexpected() }
      #expect(error != .isGone, "\(error)")
    }
    #expect(try names(desk) == ["A.cr2", "a.HEIC", "a.HEIC.xmp"])
    #expect(try desk.read(raw) != noise(70))
  }

  @Test("A photo that was renamed before the cut-off and written to since keeps its new name.", arguments: 1...2)
  func writtenSince(after count: Int) throws {
    let desk = try Desk()
    let journal = try desk.journal()
    _ = try cutOff(after: count, on: desk, in: journal)
    let file = try #require(fopen(desk.photos.appending("a.HEIC").string, "a"))
    fputs("more", file)
    fclose(file)
    #expect(try journal.recover().conflicts == [])
    #expect(try names(desk) == ["a.HEIC", "a.HEIC.xmp"])
  }

  static let rightNames: [(ImageType, String, String?)] = [
    (.heic, "a.JPG", "a.HEIC"), (.heic, "a.jpeg", "a.heic"), (.heic, "a.HEIF", nil), (.heif, "a.avif", nil),
    (.avif, "a.heic", "a.avif"), (.jpeg, "a.b.HeIc", "a.b.jpg"), (.jpeg, "a.png", "a.jpg"), (.jpeg, "a.MPO", nil),
    (.tiff, "a.nef", nil), (.tiff, "a.JPG", "a.TIF"), (.dng, "a.tif", nil), (.bigTIFF, "a.jpg", "a.tif"),
    (.mp4, "a.MOV", nil), (.mov, "a.HEIC", "a.MOV"), (.threeGP, "a.jpg", "a.3gp"), (.jpeg, "a", nil),
    (.jpeg, "a.txt", nil), (.cr3, "a.jpg", "a.cr3"), (.nef, "a.NRW", nil), (.nef, "a.TIF", "a.NEF"),
    (.jpeg, "a.nef", "a.jpg"), (.raw, "a.dcr", nil), (.raw, "a.tif", nil), (.dng, "a.GPR", nil), (.iiq, "a.tif", nil),
    (.crw, "a.cr2", "a.crw"), (.bigTIFF, "a.iiq", nil), (.rw2, "a.RWL", nil),
  ]

  @Test("A name is right if its extension matches the file's type.", arguments: rightNames)
  func rightName(type: ImageType, old: String, right: String?) throws {
    #expect(type.rightName(for: try name(old))?.string == right)
  }

  @Test(
    "A name without an extension gets the usual one, unless the type is uncertain.",
    arguments: [
      (.jpeg, "no_extension", "no_extension.jpg"), (.heic, "IMG_1", "IMG_1.heic"), (.mov, "IMG_1", "IMG_1.mov"),
      (.jpeg, "a.txt", nil), (.tiff, "a", nil), (.xmp, "a", nil),
    ] as [(ImageType, String, String?)])
  func wholeName(type: ImageType, old: String, new: String?) throws {
    #expect(type.wholeName(for: try name(old))?.string == new)
  }
}
