@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Rewriter")
struct RewriterTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let count: Int
    let splices: [Splice]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "bytes overwritten at the start", count: 10_000, splices: [Splice(0..<4, noise(4, seed: 9))]),
    Case(name: "bytes inserted", count: 100_000, splices: [Splice(20..<20, noise(5_000, seed: 9))]),
    Case(name: "grown by a page", count: 300_000, splices: [Splice(2..<10, noise(4_104, seed: 9))]),
    Case(name: "bytes removed", count: 100_000, splices: [Splice(50..<70_000, [])]),
    Case(name: "appended", count: 5_000, splices: [Splice(5_000..<5_000, noise(300, seed: 9))]),
    Case(name: "an empty file", count: 0, splices: [Splice(0..<0, noise(300, seed: 9))]),
    Case(name: "everything replaced", count: 3_000, splices: [Splice(0..<3_000, noise(2_000, seed: 9))]),
    Case(
      name: "several places", count: 3_000_000,
      splices: [
        Splice(4..<8, noise(4, seed: 9)), Splice(1_000_000..<1_000_000, noise(70_000, seed: 8)),
        Splice(2_000_000..<2_500_000, noise(3)), Splice(3_000_000..<3_000_000, noise(77, seed: 7)),
      ]),
    Case(
      name: "a file in place", count: 70_000,
      splices: [
        Splice(4..<8, noise(4, seed: 9)), Splice(100..<101, [0]), Splice(70_000..<70_000, noise(1_000, seed: 8)),
      ]),
  ]

  @Test("A change is exact, and its undo restores every byte and the time.", arguments: cases)
  func roundTrip(_ change: Case) throws {
    let desk = try Desk()
    let old = noise(change.count)
    let path = try desk.photo(old)
    let new = try Patch(change.splices, to: old.count, imageData: []).applied(to: Bytes(old))
    let (run, results) = try desk.change([path], change.splices)
    #expect(results.compactMap(\.error) == [])
    #expect(try desk.read(path) == new)
    #expect(FileTime(desk.status(path).st_mtim) != FileTime(Desk.modified))
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == old)
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
    #expect(try desk.leftovers() == [])
  }

  @Test("Every byte is verified on request.", arguments: [cases[2], cases[8]])
  func wholeFile(_ change: Case) throws {
    let desk = try Desk()
    let old = noise(change.count)
    let path = try desk.photo(old)
    let options = Rewriter.Options(keepsModificationTime: true, verifiesWholeFile: true)
    let (run, results) = try desk.change([path], change.splices, options: options)
    #expect(results.compactMap(\.error) == [])
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == old)
  }

  @Test("Mode, owner, access list, extended attributes and nanosecond times are kept.")
  func attributes() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(9_000))
    #expect(chmod(path.string, 0o4640) == 0)
    if geteuid() == 0 { #expect(chown(path.string, 65_534, 12) == 0) }
    try desk.set("user.rating", Array("5".utf8), path)
    try desk.set("user.empty", [], path)
    try desk.set("system.posix_acl_access", accessList(user: 4_321, mode: 4), path)
    // Every new file in the folder gets this one, and it must not stay on the photo.
    try desk.set("system.posix_acl_default", accessList(user: 1_234, mode: 6), desk.photos)
    #expect(chmod(path.string, 0o4640) == 0)
    let plain = try desk.photo(noise(10), "plain.jpg")
    try desk.unset("system.posix_acl_access", plain)
    for path in [path, plain] {
      let before = try desk.attributes(path)
      let keeping = Rewriter.Options(keepsModificationTime: true)
      #expect(try desk.change([path], [Splice(0..<0, [1])], options: keeping).results.compactMap(\.error) == [])
      #expect(try desk.attributes(path) == before)
    }
    #expect(try desk.attributes(path).contains("user.rating=[53]"))
    #expect(try desk.attributes(path).contains("posix_acl_access"))
    #expect(try !desk.attributes(plain).contains("posix_acl_access"))
  }

  @Test("The target of a symbolic link is changed, and the link stays.")
  func symbolicLink() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(100))
    let link = desk.photos.appending("link.jpg")
    #expect(symlink("a.jpg", link.string) == 0)
    #expect(try desk.change([link], [Splice(0..<0, [7])]).results.compactMap(\.error) == [])
    #expect(desk.status(link).st_mode & S_IFMT == S_IFLNK)
    #expect(try desk.read(path) == [7] + noise(100))
  }

  @Test("Hard links keep naming the same file, also after undo.")
  func hardLink() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(5_000))
    let other = desk.photos.appending("b.jpg")
    #expect(link(path.string, other.string) == 0)
    let (run, results) = try desk.change(
      [path], [Splice(4..<8, [1, 2, 3, 4]), Splice(5_000..<5_000, noise(600, seed: 3))])
    #expect(results.compactMap(\.error) == [])
    #expect(desk.status(path).st_ino == desk.status(other).st_ino)
    #expect(try desk.read(other).count == 5_600)
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(desk.status(path).st_ino == desk.status(other).st_ino)
    #expect(try desk.read(other) == noise(5_000))
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
  }

  @Test("A hard-linked file is refused if the change would separate its names.")
  func hardLinkRefused() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(5_000))
    #expect(link(path.string, desk.photos.appending("b.jpg").string) == 0)
    let error = #expect(throws: FileError.self) { try desk.change([path], [Splice(0..<0, [1])]) }
    #expect(error?.kind == .refused)
    #expect(error?.code == .hardLinked && error?.remedy == .copyLinkedFile)
    #expect(try desk.read(path) == noise(5_000))
  }

  @Test("A write-protected file is refused, except for root, and stays protected.")
  func writeProtected() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(50))
    #expect(chmod(path.string, 0o444) == 0)
    if geteuid() == 0 {
      _ = try desk.change([path], [Splice(0..<0, [1])])
      #expect(try desk.read(path) == [1] + noise(50))
    } else {
      let error = #expect(throws: FileError.self) { try desk.change([path], [Splice(0..<0, [1])]) }
      #expect(error?.kind == .refused)
      #expect(error?.code == .writeProtected && error?.remedy == .makeWritable)
    }
    var status = stat()
    #expect(stat(path.string, &status) == 0 && status.st_mode & 0o777 == 0o444)
    #expect(try desk.leftovers() == [])
  }

  static let names: [[UInt8]] = [
    Array("with\nnewline.jpg".utf8), [0xFF, 0xFE, 0x80] + Array(".jpg".utf8), Array(repeating: 0x61, count: 250),
    Array("-rf \u{1B}[31m.jpg".utf8), Array("e\u{301}.jpg".utf8), Array("\u{E9}.jpg".utf8),
  ]

  @Test("Names are bytes.", arguments: names)
  func hostileName(_ name: [UInt8]) throws {
    let desk = try Desk()
    let path = try desk.photo(noise(50), name)
    let (run, results) = try desk.change([path], [Splice(0..<0, [1])])
    #expect(results.compactMap(\.error) == [])
    #expect(try desk.read(path) == [1] + noise(50))
    #expect(try desk.journal().operations(of: run).map(\.path.bytes) == [path.bytes])
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == noise(50))
  }

  @Test("A change rejected by the second reader leaves nothing behind.")
  func withdrawn() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(50))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    #expect(throws: FileError(.malformed, "no")) {
      try rewriter.stage(
        try FileSource(path), at: path, patch: try Patch([Splice(0..<1, [2, 3])], to: 50, imageData: [])
      ) { new throws(FileError) in
        #expect(try new.bytes(0..<new.count).array == [2, 3] + noise(50).dropFirst())
        throw FileError(.malformed, "no")
      }
    }
    #expect(try desk.leftovers() == [])
  }

  /// Things that another program may do to a photo between staging and commit.
  static let disturbances: [(name: String, act: @Sendable (Desk, FilePath) throws -> Void)] = [
    ("rewritten", { try $0.write(noise(60, seed: 5), to: $1) }),
    ("rewritten with its old size", { try $0.write(noise(50, seed: 5), to: $1) }),
    (
      "replaced",
      { desk, path in
        try desk.write(noise(50, seed: 5), to: desk.photos.appending("n"))
        rename(desk.photos.appending("n").string, path.string)
      }
    ),
    ("removed", { unlink($1.string) }),
    ("its mode changed", { chmod($1.string, 0o600) }),
  ]

  @Test("A change by another program is never overwritten.", arguments: disturbances.indices)
  func conflict(_ index: Int) throws {
    let desk = try Desk()
    let (path, calm) = (try desk.photo(noise(50)), try desk.photo(noise(50), "calm.jpg"))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch([Splice(0..<1, [2, 3])], to: 50, imageData: [])
    let group = try [path, calm].map {
      try rewriter.stage(try FileSource($0), at: $0, patch: patch, check: accept)
    }
    try RewriterTests.disturbances[index].act(desk, path)
    let before = try? desk.read(path)
    let results = rewriter.commit(group)
    rewriter.finish()
    #expect(results[0].error?.kind == .conflict)
    #expect(results[1].error == nil)
    let after = try? desk.read(path)
    #expect(after == before)
    #expect(try desk.read(calm).prefix(2) == [2, 3])
    #expect(try desk.leftovers() == [])
    #expect(try journal.operations(of: rewriter.run).map(\.state) == [.conflict, .cleaned])
  }

  @Test("A file replaced just before the exchange is put back.")
  func displacedByAnother() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(50))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let file = try rewriter.stage(
      try FileSource(path), at: path, patch: try Patch([Splice(0..<1, [2, 3])], to: 50, imageData: []), check: accept)
    try desk.write(noise(60, seed: 5), to: path)
    guard case .exchange(let new) = file.method else {
      Issue.record("not an exchange")
      return
    }
    var displaced: FilePath.Component?
    #expect(throws: FileError.changedMeanwhile) { try file.exchange(with: new, displaced: &displaced) }
    try file.takeBack(displaced)
    #expect(try desk.read(path) == noise(60, seed: 5))
  }

  @Test("A patch for another length or a missing file is refused.")
  func stale() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(50))
    let source = try FileSource(path)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let longer = try Patch([Splice(0..<1, [2, 3])], to: 60, imageData: [])
    #expect(throws: FileError.self) { try rewriter.stage(source, at: path, patch: longer, check: accept) }
    unlink(path.string)
    let right = try Patch([Splice(0..<1, [2, 3])], to: 50, imageData: [])
    #expect(throws: FileError.self) { try rewriter.stage(source, at: path, patch: right, check: accept) }
  }
}
