import SystemPackage
import Testing

@testable import MetaTag

@Suite("Old files")
struct OldFilesTests {
  private static let splices = [Splice(20..<30, noise(500, seed: 9))]

  /// A run whose one photo is changed, and which has not ended.
  private static func changed(_ desk: Desk, _ path: FilePath) throws -> (journal: Journal, rewriter: Rewriter) {
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let source = try FileSource(path)
    let staged = try rewriter.stage(
      source, at: path, patch: try Patch(splices, to: source.count, imageData: []), check: accept)
    #expect(rewriter.commit([staged]).compactMap(\.error) == [])
    return (journal, rewriter)
  }

  @Test("go when the run ends, at the latest, and when the photo is renamed", arguments: [false, true])
  func go(renaming: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    let (journal, rewriter) = try Self.changed(desk, path)
    if renaming { try rewriter.rename(path, to: "b.jpg") } else { rewriter.finish() }
    #expect(try desk.leftovers() == [])
    #expect(try journal.operations(of: rewriter.run).allSatisfy { $0.state == .cleaned })
  }

  @Test("that another program wrote into meanwhile stay, and recovery tells where")
  func foreign() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(900))
    do {
      let (journal, rewriter) = try Self.changed(desk, path)
      // Where little is free they have gone already.
      guard let old = try desk.leftovers().first else { return }
      try desk.write(noise(60, seed: 5), to: desk.photos.appending(old))
      rewriter.finish()
      #expect(try journal.operations(of: rewriter.run).map(\.state) == [.committed])
    }
    let report = try desk.journal().recover()
    #expect(report.conflicts.map(\.path) == [path])
    let old = try #require(try desk.leftovers().first)
    #expect(try desk.read(desk.photos.appending(old)) == noise(60, seed: 5))
    #expect(try desk.read(path).count == 1_390)
  }
}
