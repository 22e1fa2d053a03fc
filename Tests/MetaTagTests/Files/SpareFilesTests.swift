import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Old files that become new ones")
struct SpareFilesTests {
  /// Photos of different lengths, and a run that changes one after the other.
  private struct Scene {
    let desk: Desk
    let journal: Journal
    let rewriter: Rewriter
    let photos: [FilePath]

    init() throws {
      desk = try Desk()
      journal = try desk.journal()
      rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      photos = try (0..<4).map { [desk] in try desk.photo(noise(9_000 - 1_000 * $0, seed: UInt32($0)), "\($0).jpg") }
    }

    func old(_ number: Int) -> [UInt8] { noise(9_000 - 1_000 * number, seed: UInt32(number)) }

    func new(_ number: Int) -> [UInt8] { [1, 2, 3] + old(number).dropFirst(3) }

    /// A group of one photo.
    func change(_ number: Int, moreFollow: Bool = true) throws {
      let source = try FileSource(photos[number])
      let patch = try Patch([Splice(0..<3, [1, 2, 3])], to: source.count, imageData: [])
      let file = try rewriter.stage(source, at: photos[number], patch: patch, check: accept)
      #expect(rewriter.commit([file], moreFollow: moreFollow).compactMap(\.error) == [])
    }

    func inode(_ number: Int) -> UInt { desk.status(photos[number]).st_ino }
  }

  @Test("A photo becomes the file that another one was, and nothing of that is left in it")
  func recycled() throws {
    let scene = try Scene()
    chmod(scene.photos[2].string, 0o600)
    let (first, attributes) = (scene.inode(0), try scene.desk.attributes(scene.photos[2]))
    for number in 0...2 { try scene.change(number) }
    // The third, since while a group is committed this process itself has its files open.
    #expect(scene.inode(2) == first)
    #expect(
      try scene.desk.attributes(scene.photos[2]).split(separator: " ").prefix(3)
        == attributes.split(separator: " ").prefix(3))
    try scene.change(3, moreFollow: false)
    for number in 0...3 { #expect(try scene.desk.read(scene.photos[number]) == scene.new(number)) }
    #expect(try scene.desk.leftovers() == [])
    try scene.journal.finishRun(scene.rewriter.run)
    let undo = try scene.desk.begin(scene.journal, undoing: scene.rewriter.run)
    var outcomes: [Undo.Outcome] = []
    try Undo(scene.rewriter.run, as: undo, in: scene.journal)({ outcomes.append($1) })
    #expect(outcomes == [.restored, .restored, .restored, .restored])
    for number in 0...3 { #expect(try scene.desk.read(scene.photos[number]) == scene.old(number)) }
    #expect(try scene.desk.leftovers() == [])
  }

  @Test("Who has the old photo open goes on reading the old photo")
  func open() throws {
    let scene = try Scene()
    let reader = try FileSource(scene.photos[0])
    let first = scene.inode(0)
    for number in 0...3 { try scene.change(number, moreFollow: number < 3) }
    #expect((1...3).allSatisfy { scene.inode($0) != first })
    #expect(try reader.bytes(0..<reader.count).array == scene.old(0))
    #expect(try scene.desk.leftovers() == [])
  }

  @Test("An old file that got another name meanwhile stays what it is")
  func linked() throws {
    let scene = try Scene()
    let first = scene.inode(0)
    try scene.change(0)
    let spare = scene.desk.photos.appending(try #require(scene.desk.leftovers().first))
    let other = scene.desk.photos.appending("kept")
    #expect(link(spare.string, other.string) == 0)
    for number in 1...3 { try scene.change(number, moreFollow: number < 3) }
    #expect((1...3).allSatisfy { scene.inode($0) != first })
    #expect(try scene.desk.read(other) == scene.old(0))
    #expect(try scene.desk.leftovers() == [])
  }

  @Test("No extended attribute of an old file goes to the photo it becomes")
  func attributes() throws {
    let scene = try Scene()
    try scene.desk.set("user.note", [1], scene.photos[0])
    for number in 0...3 { try scene.change(number, moreFollow: number < 3) }
    #expect(try scene.desk.attributes(scene.photos[0]).contains("user.note"))
    for number in 1...3 { #expect(try !scene.desk.attributes(scene.photos[number]).contains("user.note")) }
    #expect(try scene.desk.leftovers() == [])
  }

  @Test("Where the program is killed between two groups, recovery leaves the photos and nothing beside them")
  func killed() throws {
    let scene = try Scene()
    for number in 0...1 { try scene.change(number) }
    #expect(try scene.desk.leftovers().count == 2)
    _ = try scene.journal.recover()
    #expect(try scene.desk.leftovers() == [])
    for number in 0...1 { #expect(try scene.desk.read(scene.photos[number]) == scene.new(number)) }
  }
}
