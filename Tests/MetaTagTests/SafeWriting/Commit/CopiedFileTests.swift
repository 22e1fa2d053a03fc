@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Changed copies, and their removal by an undo.
@Suite("Changed copies")
struct CopiedFileTests {
  private static let original = noise(70_000, seed: 4)
  private static let splices = [Splice(10..<20, [1, 2, 3]), Splice(60_000..<60_000, [7])]

  /// A folder with a photo, and another for copies.
  private struct Copying {
    let desk: Desk
    let photo: FilePath
    let folder: FilePath
    var copy: FilePath { folder.appending("a.jpg") }

    init() throws {
      desk = try Desk()
      photo = try desk.photo(CopiedFileTests.original)
      folder = desk.scratch.url.filePath.appending("copies/below")
    }

    /// The bytes that the copy should have.
    var expected: [UInt8] {
      get throws {
        try Patch(splices, to: original.count, imageData: []).applied(to: Bytes(original))
      }
    }

    /// Changes a byte of the copy.
    func flip(byte: Int) throws {
      var bytes = try desk.read(copy)
      bytes[byte] ^= 1
      try desk.write(bytes, to: copy)
    }

    func stage(_ rewriter: Rewriter, _ splices: [Splice] = CopiedFileTests.splices) throws -> StagedFile {
      let source = try FileSource(photo)
      return try rewriter.stage(
        copyOf: source, at: photo, to: DirectoryEntry(try Directory(creating: folder), "a.jpg"),
        patch: try Patch(splices, to: source.count, imageData: []), pictures: [30..<50_000], check: accept)
    }

    @discardableResult
    func make(
      _ splices: [Splice] = CopiedFileTests.splices, options: Rewriter.Options = Rewriter.Options()
    ) throws -> (run: RunID, error: FileError?) {
      let journal = try desk.journal()
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal), options: options)
      let results = rewriter.commit([try stage(rewriter, splices)])
      rewriter.finish()
      try journal.finishRun(rewriter.run)
      return (rewriter.run, results.first?.error)
    }
  }

  @Test("A copy has the change and the original's attributes; the original is untouched.", arguments: [false, true])
  func bytes(keepsTime: Bool) throws {
    let copying = try Copying()
    #expect(chmod(copying.photo.string, 0o404) == 0)
    let before = try copying.desk.attributes(copying.photo)
    #expect(try copying.make(options: Rewriter.Options(keepsModificationTime: keepsTime)).error == nil)
    #expect(try copying.desk.read(copying.copy) == copying.expected)
    #expect(try copying.desk.attributes(copying.photo) == before)
    #expect(try copying.desk.read(copying.photo) == Self.original)
    let status = copying.desk.status(copying.copy)
    // The user's own copy is writable.
    #expect(status.st_mode & 0o777 == 0o604)
    #expect((FileTime(status.st_mtim) == FileTime(Desk.modified)) == keepsTime)
  }

  @Test("A copy without a change keeps the time of its original.")
  func unchanged() throws {
    let copying = try Copying()
    let run = try copying.make([]).run
    #expect(try copying.desk.read(copying.copy) == Self.original)
    #expect(FileTime(copying.desk.status(copying.copy).st_mtim) == FileTime(Desk.modified))
    #expect(try copying.desk.undo(run).outcomes == [.removed])
    #expect(try Directory(copying.folder).names().isEmpty)
  }

  @Test("A file that exists is never overwritten, also if it appears during the run.")
  func taken() throws {
    let copying = try Copying()
    try copying.make()
    #expect(throws: FileError.self) { try copying.make() }
    unlink(copying.copy.string)
    let journal = try copying.desk.journal()
    let rewriter = Rewriter(journal: journal, run: try copying.desk.begin(journal))
    let staged = try copying.stage(rewriter)
    try copying.desk.write([9], to: copying.copy)
    #expect(rewriter.commit([staged]).map { $0.error?.code } == [.nameTakenDuringRun])
    #expect(try copying.desk.read(copying.copy) == [9])
    #expect(try Directory(copying.folder).names().count == 1)
  }

  @Test("An original that changes while it is copied is not copied.")
  func changing() throws {
    let copying = try Copying()
    let journal = try copying.desk.journal()
    let rewriter = Rewriter(journal: journal, run: try copying.desk.begin(journal))
    let staged = try copying.stage(rewriter)
    try copying.desk.write(noise(70_000, seed: 5), to: copying.photo)
    #expect(rewriter.commit([staged]).map { $0.error?.code } == [.changedDuringRun])
    #expect(try Directory(copying.folder).names().isEmpty)
  }

  @Test("The log counts a copy as created, and undo removes it.")
  func undo() throws {
    let copying = try Copying()
    let run = try copying.make().run
    let summary = try copying.desk.journal().runs(limit: 1)[0]
    #expect(summary.created == 1 && summary.changed == 0)
    let operation = try copying.desk.journal().operations(of: run)[0]
    #expect(operation.kind == .creation && operation.origin?.lastComponent == "a.jpg")
    #expect(try copying.desk.undo(run).outcomes == [.removed])
    #expect(try Directory(copying.folder).names().isEmpty)
    #expect(try copying.desk.read(copying.photo) == Self.original)
  }

  /// Events before an undo after which the copy must stay.
  private static let events: [(name: String, act: @Sendable (Copying) throws -> Void, code: FileError.Code)] = [
    ("the original is gone", { unlink($0.photo.string) }, .originalMissing),
    (
      "a link leads from the original to the copy",
      { copying in
        unlink(copying.photo.string)
        symlink(copying.copy.string, copying.photo.string)
      }, .originalMissing
    ),
    ("another file is there", { try $0.desk.write(noise(70_000, seed: 6), to: $0.photo) }, .originalMissing),
    ("the copy's picture changed", { try $0.flip(byte: 30_000) }, .modifiedAfterRun),
    ("the copy's metadata changed", { try $0.flip(byte: 12) }, .modifiedAfterRun),
  ]

  @Test("Undo keeps a copy that may be the only one, or that has changed.", arguments: events.indices)
  func kept(index: Int) throws {
    let event = Self.events[index]
    let copying = try Copying()
    let run = try copying.make().run
    try event.act(copying)
    let bytes = try copying.desk.read(copying.copy)
    let journal = try copying.desk.journal()
    var codes: [FileError.Code?] = []
    func note(_ operation: JournalOperation, _ outcome: Undo.Outcome) {
      if case .notRestored(let error) = outcome { codes.append(error.code) } else { codes.append(nil) }
    }
    try Undo.trial(of: run, in: journal) { note($0, $1) }
    try Undo(run, as: try copying.desk.begin(journal, undoing: run), in: journal)({ note($0, $1) })
    #expect(codes == [event.code, event.code], "\(event.name)")
    #expect(try copying.desk.read(copying.copy) == bytes)
  }

  @Test("An original is never taken for a copy that was moved, though it has the same bytes.")
  func moved() throws {
    let copying = try Copying()
    let run = try copying.make([]).run
    unlink(copying.copy.string)
    let journal = try copying.desk.journal()
    var selection = UndoSelection()
    selection.movedTo = copying.desk.photos
    selection.places = [copying.copy: copying.photo]
    #expect(try journal.newestChange(leaving: copying.photo) == nil)
    #expect(try journal.newestChange(leavingFilesIn: copying.desk.photos) == nil)
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: try copying.desk.begin(journal, undoing: run), in: journal, selection)({ outcomes.append($1) })
    #expect(outcomes.map { Undo.isMissing($0) } == [true])
    #expect(try copying.desk.read(copying.photo) == Self.original)
  }

  @Test("A run killed at any step leaves a whole copy or none, and the original.", arguments: 0...7)
  func killed(after steps: Int) throws {
    let copying = try Copying()
    do {
      let journal = try copying.desk.journal()
      let rewriter = Rewriter(journal: journal, run: try copying.desk.begin(journal))
      copying.desk.take(steps, of: GroupCommit([try copying.stage(rewriter)], journal: journal))
    }
    let journal = try copying.desk.journal()
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.unreachable == [])
    let names = try Directory(copying.folder).names().map(\.string)
    #expect(names == (steps > 3 ? ["a.jpg"] : []))
    if steps > 3 { #expect(try copying.desk.read(copying.copy) == copying.expected) }
    #expect(try copying.desk.read(copying.photo) == Self.original)
    #expect(try journal.recover().isEmpty)
  }
}
