@testable import SafeWriting
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Scratch files that can't be removed")
struct LeftoverTests {
  @Test("A scratch file that can't be removed is reported, and removed by the next run that can.")
  func swept() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let source = try FileSource(path)
    let staged = try rewriter.stage(
      source, at: path, patch: try Patch([Splice(20..<30, noise(500, seed: 9))], to: source.count, imageData: []),
      check: accept)
    let name = try #require(try desk.leftovers().first)
    // Another program writes into the photo, and a folder can't be removed as a file is.
    try desk.write(noise(60, seed: 5), to: path)
    let scratch = desk.photos.appending(name)
    let aside = desk.scratch.url.filePath.appending("aside")
    #expect(rename(scratch.string, aside.string) == 0 && mkdir(scratch.string, 0o700) == 0)
    let error = try #require(rewriter.commit([staged]).first?.error)
    #expect(error.description.contains("another program") && error.description.contains(name), "\(error)")
    rewriter.finish()
    try journal.finishRun(rewriter.run)

    for _ in 0..<2 {
      let report = try journal.recover()
      #expect(report.unreachable.map(\.path) == [scratch] && report.removed == 0)
    }
    #expect(rmdir(scratch.string) == 0 && rename(aside.string, scratch.string) == 0)
    // The photo is away, so the scratch file may be its only copy.
    #expect(rename(path.string, "\(path).aside") == 0)
    #expect(try journal.recover().removed == 0)
    #expect(rename("\(path).aside", path.string) == 0)
    #expect(try journal.recover().removed == 1)
    #expect(try desk.leftovers() == [] && journal.folders().isEmpty)
    #expect(try desk.read(path) == noise(60, seed: 5))
  }

  @Test("A run that left a scratch file remembers its folders, and other runs don't.", arguments: [0, 1])
  func folders(failed: Int) throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    try journal.note(desk.photos, of: run)
    try journal.finishRun(run, failed: failed)
    #expect(try journal.folders().count == failed)
    try desk.photo([1], "\(journal.scratchPrefix(of: run))1.new")
    #expect(try journal.recover().removed == failed)
    #expect(try journal.recover().isEmpty)
  }
}
