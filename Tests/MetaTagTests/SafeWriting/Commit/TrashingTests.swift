@testable import SafeWriting
import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Moves to the trash and back.
@Suite("The trash")
struct TrashingTests {
  private static let bytes = noise(900)

  private struct Bin {
    let desk: Desk
    let home: FilePath

    init() throws {
      desk = try Desk()
      home = desk.scratch.url.filePath.appending("data/Trash")
    }

    @discardableResult
    func trash(_ paths: FilePath...) throws -> RunID {
      let journal = try desk.journal()
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      defer { try? journal.finishRun(rewriter.run) }
      try rewriter.trash(try paths.map { TrashedFile($0, try FileSource($0)) }, home: home)
      return rewriter.run
    }

    /// The names of the files and of their descriptions.
    var names: [[String]] {
      get throws {
        try ["files", "info"].map { try Directory(home.appending($0)).names().map(\.string).sorted() }
      }
    }
  }

  @Test("A file in the trash has a description by the specification, and undo brings it back.")
  func roundTrip() throws {
    let bin = try Bin()
    let photo = try bin.desk.photo(Self.bytes, "é 100%.jpg")
    let before = try bin.desk.attributes(photo)
    let original = try Directory(resolving: bin.desk.photos).path.appending("é 100%.jpg")
    let run = try bin.trash(photo)
    #expect(try bin.names == [["é 100%.jpg"], ["é 100%.jpg.trashinfo"]])
    let text = String(decoding: try bin.desk.read(bin.home.appending("info/é 100%.jpg.trashinfo")), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.first == "[Trash Info]" && lines.count == 3)
    let path = try #require(lines.first { $0.hasPrefix("Path=") })
    #expect(path.hasSuffix("/photos/%C3%A9%20100%25.jpg"))
    #expect(path.dropFirst(5).removingPercentEncoding.map { FilePath($0) } == original)
    #expect(lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    #expect(try bin.desk.journal().operations(of: run).map { $0.kind == .trashing } == [true])
    #expect(try bin.desk.undo(run).outcomes == [.untrashed])
    #expect(try bin.desk.attributes(photo) == before)
    #expect(try bin.desk.read(photo) == Self.bytes)
    #expect(try bin.names == [[], []])
  }

  @Test("An undo is not undone: nothing goes to the trash again without a copy.")
  func redo() throws {
    let bin = try Bin()
    let photo = try bin.desk.photo(Self.bytes)
    let undo = try bin.desk.undo(try bin.trash(photo)).run
    guard case .notRestored(let error)? = try bin.desk.undo(undo).outcomes.first else {
      Issue.record("it was moved again")
      return
    }
    #expect(error.code == .notRestorable)
    #expect(try bin.desk.read(photo) == Self.bytes)
  }

  @Test("Names in the trash are never given twice.")
  func names() throws {
    let bin = try Bin()
    for number in 1...3 { try bin.trash(try bin.desk.photo([UInt8(number)])) }
    #expect(
      try bin.names == [
        ["a.2.jpg", "a.3.jpg", "a.jpg"], ["a.2.jpg.trashinfo", "a.3.jpg.trashinfo", "a.jpg.trashinfo"],
      ])
  }

  @Test("A name that leaves no room for the description's ending is cut.")
  func longName() throws {
    let bin = try Bin()
    let photo = try bin.desk.photo(Self.bytes, String(repeating: "a", count: 251) + ".jpg")
    let run = try bin.trash(photo)
    let names = try bin.names
    #expect(names[0].count == 1 && names[1] == [names[0][0] + ".trashinfo"] && names[0][0].hasSuffix(".jpg"))
    #expect(try bin.desk.undo(run).outcomes == [.untrashed])
    #expect(try bin.desk.read(photo) == Self.bytes)
  }

  @Test("A file that another program changed since it was copied, or has open for writing, isn't moved.")
  func foreignWriter() throws {
    let bin = try Bin()
    let photo = try bin.desk.photo(Self.bytes)
    let journal = try bin.desk.journal()
    let rewriter = Rewriter(journal: journal, run: try bin.desk.begin(journal))
    let read = TrashedFile(photo, try FileSource(photo))
    func code() throws -> FileError.Code? {
      #expect(throws: FileError.self) { try rewriter.trash([read], home: bin.home) }?.code
    }
    let writer = try OldFilesTests.Writer(of: photo)
    #expect(try code() == .openForWriting)
    #expect(try bin.desk.read(photo) == Self.bytes)
    try writer.finish()
    let other = bin.desk.photos.appending("other")
    try bin.desk.write([7], to: other)
    #expect(rename(other.string, photo.string) == 0)
    #expect(try code() == .changedDuringRun)
    #expect(try bin.desk.read(photo) == [7])
    #expect(try bin.names == [[], []])
    #expect(try journal.recover().isEmpty)
  }

  @Test("Another file of its name in the trash isn't taken for it, and one that is back stays.")
  func replaced() throws {
    let bin = try Bin()
    let photo = try bin.desk.photo(Self.bytes)
    let run = try bin.trash(photo)
    let trashed = bin.home.appending("files/a.jpg")
    #expect(rename(trashed.string, photo.string) == 0)
    func code() throws -> FileError.Code? {
      guard case .notRestored(let error)? = try bin.desk.undo(run).outcomes.first else { return nil }
      return error.code
    }
    #expect(try code() == .alreadyExists)
    unlink(photo.string)
    #expect(try code() == .notAtOriginalPath)
    try bin.desk.write([7], to: trashed)
    #expect(try code() == .modifiedAfterRun)
    #expect(try bin.desk.read(trashed) == [7])
  }

  @Test("A file whose name is taken stays in the trash.")
  func taken() throws {
    let bin = try Bin()
    let photo = try bin.desk.photo(Self.bytes)
    let run = try bin.trash(photo)
    try bin.desk.photo([1])
    #expect(try bin.desk.undo(run).outcomes != [.untrashed])
    #expect(try bin.desk.read(photo) == [1])
    #expect(try bin.names == [["a.jpg"], ["a.jpg.trashinfo"]])
  }

  @Test("Files that belong together are moved together or not at all.")
  func together() throws {
    let bin = try Bin()
    let (first, second) = (try bin.desk.photo([1], "a.heic"), try bin.desk.photo([2], "a.mov"))
    unlink(second.string)
    symlink("a.heic", second.string)
    #expect(throws: FileError.self) { try bin.trash(first, second) }
    #expect(try bin.desk.read(first) == [1])
  }

  /// How far a move got before the process was killed.
  enum Progress: CaseIterable { case recorded, described, firstMoved, allMoved }

  @Test("Recovery after a kill moves both files of a photo, or none.", arguments: Progress.allCases)
  func killed(_ progress: Progress) throws {
    let bin = try Bin()
    let photos = [try bin.desk.photo([1], "a.heic"), try bin.desk.photo([2], "a.mov")]
    // The rows as after a kill, and the files as far as they were moved.
    let run = try bin.trash(photos[0], photos[1])
    let journal = try bin.desk.journal()
    let trashed = ["a.heic", "a.mov"].map { bin.home.appending("files").appending($0) }
    let isBack = [progress != .firstMoved && progress != .allMoved, progress != .allMoved]
    for index in 0...1 where isBack[index] {
      #expect(rename(trashed[index].string, photos[index].string) == 0)
      if progress != .described || index == 1 { unlink(Trash.description(of: trashed[index]).string) }
    }
    try journal.database.write { db in
      try db.execute(sql: "UPDATE operation SET state = 'staged'; UPDATE run SET state = 'running'")
    }
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.unreachable == [])
    if progress == .allMoved {
      #expect(try bin.names[0] == ["a.heic", "a.mov"])
      #expect(try bin.desk.undo(run, in: journal) == [.untrashed, .untrashed])
    }
    #expect(try photos.map(bin.desk.read) == [[1], [2]])
    #expect(try bin.names == [[], []])
    #expect(try journal.recover().isEmpty)
  }

  @Test(
    "Nothing is moved to the trash of a removable disk.",
    arguments: [("removable", "1", true), ("removable", "0", false), ("device/type", "SD", true)])
  func removable(file: String, text: String, isRemovable: Bool) throws {
    let scratch = try Scratch()
    let disk = scratch.url.appending(path: "disk"), partition = disk.appending(path: "partition")
    for folder in [partition, disk.appending(path: "device")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try Data((text + "\n").utf8).write(to: disk.appending(path: file))
    for (name, target) in [("8:16", disk), ("8:17", partition)] {
      try FileManager.default.createSymbolicLink(at: scratch.url.appending(path: name), withDestinationURL: target)
    }
    for device in [8 << 8 | 16, 8 << 8 | 17] {
      #expect(Volume.isRemovable(dev_t(device), disks: scratch.url.filePath) == isRemovable)
    }
    #expect(!Volume.isRemovable(dev_t(8 << 8 | 18), disks: scratch.url.filePath))
  }
}
