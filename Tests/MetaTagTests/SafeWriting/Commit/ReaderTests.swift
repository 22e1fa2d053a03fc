@testable import SafeWriting
@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Programs that read a photo while it changes")
struct ReaderTests {
  @Test(
    "After every step of an edit and of its undo, a reader finds the old location or the new one, never both.",
    arguments: ["cirrus-03-falls.mov", "borealis-07-swans.mp4", "cirrus-02-meadow.heic", "borealis-06-ferns.tif"],
    [nil] + LargeFile.Shape.allCases)
  func steps(_ name: String, shape: LargeFile.Shape?) throws {
    if shape == .moovLast, !["mov", "mp4"].contains(name.suffix(3)) { return }
    let desk = try Desk()
    let file = desk.scratch.url.appending(path: "photos/\(name)")
    try FileManager.default.copyItem(at: Corpus.project.appending(path: "SampleImages/\(name)"), to: file)
    if let shape { try LargeFile.enlarge(file, to: 20 << 20, shape) }
    let path = file.filePath
    let old = try location(path)
    let (image, source) = (try ImageSource(path), try FileSource(path))
    let patch = try image.patch(for: try MetadataEdit.place(altitude: 56))
    let expected = try ImageSource(PatchedSource(old: source, patch: patch), path: path).metadata().location
    let new = try #require(expected?.coordinate)
    #expect(new != old)

    let journal = try desk.journal()
    let run = try desk.begin(journal)
    let rewriter = Rewriter(journal: journal, run: run)
    let staged = try rewriter.stage(source, at: path, patch: patch, check: accept)
    // A movie whose moov box can't become visible in one sector is exchanged, however large it is.
    let isMovie = ["mov", "mp4"].contains(name.suffix(3))
    #expect((staged.edit != nil) == (isMovie ? shape == .moovLast : shape != nil))
    try commit(staged, in: journal, at: path) { $0 == old || $0 == new }
    #expect(try location(path) == new)
    let entry = try #require(try journal.unsettled().entries.first ?? journal.undoable(in: run).first)
    let back = try rewriter.stage(
      try FileSource(path), at: path, patch: try journal.inverse(of: entry), undoing: entry.key, check: accept)
    try commit(back, in: journal, at: path) { $0 == old || $0 == new }
    #expect(try location(path) == old)
  }

  /// Commits a file step by step, and reads it after each.
  private func commit(
    _ file: StagedFile, in journal: Journal, at path: FilePath, _ isExpected: (Coordinate?) -> Bool
  ) throws {
    var commit = GroupCommit([file], journal: journal)
    let steps: [(String, (inout GroupCommit) -> Void)] = [
      ("record", { $0.record() }), ("prepare", { $0.prepare() }), ("verify", { $0.verify() }), ("swap", { $0.swap() }),
      ("finish", { $0.finish() }), ("settle", { $0.settle() }),
    ]
    for (name, step) in steps {
      step(&commit)
      #expect(try isExpected(location(path)), "after \(name)")
      if let movie = try? MovieFile(of: FileSource(path)) {
        #expect(movie.boxes.count { $0.type == "moov" } <= 1, "after \(name)")
        #expect(movie.boxes.count { $0.type == "uuid" } <= 1, "after \(name)")
      }
    }
    #expect(commit.results.allSatisfy { $0.error == nil })
    var oldFiles = OldFiles()
    commit.clean(into: &oldFiles)
    oldFiles.removeAll(journal: journal)
  }

  private func location(_ path: FilePath) throws -> Coordinate? {
    try ImageSource(path).metadata().location?.coordinate
  }
}
