@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Files with holes.
@Suite("Sparse files")
struct SparseFileTests {
  @Test("Holes stay holes in the new version and in the restored one, also if they move.")
  func holes() throws {
    let desk = try Desk()
    // Stored bytes, a hole of 3 MB, stored bytes, and a hole at the end.
    let path = try desk.photo(noise(10_000))
    let file = try FileDescriptor.open(path, .readWrite)
    _ = try file.closeAfter { try file.writeAll(toAbsoluteOffset: 3_000_000, noise(5_000, seed: 2)) }
    try #require(path.withPlatformString { truncate($0, 3_900_000) } == 0)
    try #require(desk.stored(path) < 200_000, "the file system keeps no holes")
    let old = try desk.read(path)

    let inserted = noise(7_777, seed: 3)
    let (run, results) = try desk.change([path], [Splice(100..<200, inserted)])
    #expect(results.compactMap(\.error) == [])
    #expect(try desk.read(path) == old[..<100] + inserted + old[200...])
    #expect(desk.stored(path) < 200_000)

    let journal = try desk.journal()
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: try desk.begin(journal, undoing: run), in: journal)() { outcomes.append($1) }
    #expect(outcomes == [.restored])
    #expect(try desk.read(path) == old)
    #expect(desk.stored(path) < 200_000)
  }
}

extension Desk {
  /// The number of bytes that the disk stores of a file.
  fileprivate func stored(_ path: FilePath) -> Int { Int(status(path).st_blocks) * 512 }
}
