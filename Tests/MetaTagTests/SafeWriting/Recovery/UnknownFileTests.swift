@testable import SafeWriting
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Files that interrupted runs left")
struct UnknownFileTests {
  private static let photo = noise(200_000)

  private static let cases: [(bytes: [UInt8], isRemoved: Bool)] = [
    ([], true), (photo, true), (Array(photo.prefix(70_000)), true), (noise(70_000, seed: 4), false),
    (Array(photo.prefix(150_000)) + [1], false), (photo + [0], false), (Array(photo.suffix(70_000)), false),
  ]

  @Test(
    "A file that the journal doesn't know is removed only if a photo in the folder holds all of it.",
    arguments: cases.indices)
  func unknown(_ index: Int) throws {
    let (bytes, isRemoved) = UnknownFileTests.cases[index]
    let desk = try Desk()
    try desk.photo(UnknownFileTests.photo)
    let journal = try desk.journal()
    let name = ".metatag-\(journal.token)-7-3.tmp"
    let path = try desk.photo(bytes, name)
    let seen = try Leftover.all(in: [desk.photos], of: journal, removing: false)
    #expect(seen.map(\.path) == [path] && seen.map(\.use) == [isRemoved ? .superfluous : .unknown])
    #expect(try desk.leftovers() == [name])
    let left = try Leftover.all(in: [desk.photos], of: journal, removing: true)
    #expect(left == seen)
    #expect(try desk.leftovers() == (isRemoved ? [] : [name]))
  }

  @Test("Files of other journals and files that rows mention stay.")
  func others() throws {
    let desk = try Desk()
    let path = try desk.photo(UnknownFileTests.photo)
    let foreign = try desk.photo([], ".metatag-12345678-1-1.tmp")
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch([Splice(20..<30, [1])], to: UnknownFileTests.photo.count, imageData: [])
    let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    desk.take(1, of: GroupCommit([staged], journal: journal))
    let own = try #require(staged.scratch?.name)
    let left = try Leftover.all(in: [desk.photos], of: journal, removing: true)
    let uses = Dictionary(uniqueKeysWithValues: left.map { ($0.path, $0.use) })
    #expect(uses == [foreign: .foreign, desk.photos.appending(own): .pending])
  }

  @Test(
    "If the journal loses a row, recovery removes the new file, and keeps what may be the original.",
    arguments: [false, true])
  func lostRow(isExchanged: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(UnknownFileTests.photo)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch([Splice(20..<30, [1])], to: UnknownFileTests.photo.count, imageData: [])
    let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    let scratch = try #require(staged.scratch)
    if isExchanged {
      var displaced: FilePath.Component?
      try staged.exchange(with: scratch, displaced: &displaced)
    }
    // Times of creation say nothing: the folder may be a copy.
    let name = scratch.name.string
    let bytes = try desk.read(desk.photos.appending(name))
    unlink(desk.photos.appending(name).string)
    try desk.photo(bytes, name)
    let report = try journal.recover()
    #expect(report.unknown == (isExchanged ? [desk.photos.appending(name)] : []))
    #expect(report.removed == (isExchanged ? 0 : 1))
    #expect(try desk.leftovers() == (isExchanged ? [name] : []))
    #expect(try journal.recover().unknown == report.unknown)
  }

  @Test("Recovery keeps an old file without a row where names aren't exchanged, and the copies next to the journal.")
  func withoutRow() throws {
    let desk = try Desk()
    try desk.photo(UnknownFileTests.photo)
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    try journal.note(try Directory(resolving: desk.photos).path, of: run)
    let names = ["", ".old"].map { ".metatag-\(journal.token)-\(run)-1.tmp\($0)" }
    let paths = try names.map { try desk.photo(noise(900, seed: 8), $0) }
    let copies = desk.state.appending("copies")
    #expect(mkdir(copies.string, 0o700) == 0)
    try desk.write([1], to: copies.appending("9-1"))
    #expect(try journal.recover().unknown.sorted { $0.string < $1.string } == paths)
    #expect(try desk.leftovers().sorted() == names)
    #expect(try desk.read(copies.appending("9-1")) == [1])
    for path in paths { unlink(path.string) }
    #expect(try journal.recover().unknown == [])
    #expect(throws: (any Error).self) { try desk.read(copies.appending("9-1")) }
  }

  @Test("What a program saved after a run was interrupted stays, also if it kept the modification time.")
  func savedSince() throws {
    for count in 1...8 {
      let desk = try Desk()
      let path = try desk.photo(UnknownFileTests.photo)
      let journal = try desk.journal()
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      let patch = try Patch([Splice(20..<30, noise(500, seed: 9))], to: UnknownFileTests.photo.count, imageData: [])
      let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
      desk.take(count, of: GroupCommit([staged], journal: journal))
      let time = try FileSource(path).status.st_mtim
      let saved = noise(150_000, seed: 11)
      try desk.write(saved, to: path)
      #expect(utimensat(AT_FDCWD, path.string, [time, time], 0) == 0)
      _ = try journal.recover()
      #expect(try desk.read(path) == saved, "\(count) steps")
    }
  }

  /// Interrupts a change after some steps. The photo has a second name if it is to be edited in place.
  private func interrupt(_ desk: Desk, _ journal: Journal, steps: Int, inPlace: Bool = false) throws -> FilePath {
    let path = try desk.photo(UnknownFileTests.photo)
    if inPlace { #expect(link(path.string, desk.photos.appending("b.jpg").string) == 0) }
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch([Splice(20..<30, noise(10, seed: 9))], to: UnknownFileTests.photo.count, imageData: [])
    let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    desk.take(steps, of: GroupCommit([staged], journal: journal))
    return path
  }

  /// Moves the folder away, and puts a copy of the old photo in its place. Returns where the folder is.
  private func replaceFolder(_ desk: Desk) throws -> FilePath {
    let aside = desk.scratch.url.filePath.appending("aside")
    #expect(rename(desk.photos.string, aside.string) == 0 && mkdir(desk.photos.string, 0o700) == 0)
    try desk.photo(UnknownFileTests.photo)
    return aside
  }

  private func bringBack(_ aside: FilePath, _ desk: Desk) throws {
    try FileManager.default.removeItem(atPath: desk.photos.string)
    #expect(rename(aside.string, desk.photos.string) == 0)
  }

  @Test(
    "If a copy of the old photos is in the place of the folder, nothing is concluded from it.",
    arguments: [false, true])
  func copyInPlace(isInPlace: Bool) throws {
    for steps in 1...5 {
      let desk = try Desk()
      let journal = try desk.journal()
      let path = try interrupt(desk, journal, steps: steps, inPlace: isInPlace)
      let new = try desk.read(path)
      let aside = try replaceFolder(desk)
      _ = try journal.recover()
      #expect(try journal.recover().restored == [])
      #expect(try desk.read(path) == UnknownFileTests.photo)
      try bringBack(aside, desk)
      let report = try journal.recover()
      #expect(try desk.read(path) == new, "\(steps) steps")
      #expect(report.finished.isEmpty == (new == UnknownFileTests.photo), "\(steps) steps")
      #expect(try desk.leftovers() == [])
      #expect(try journal.recover().isEmpty)
    }
  }

  @Test("A photo that was away when a recovery was cut off is settled by the next one.")
  func awayAtCutOff() throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let path = try interrupt(desk, journal, steps: 4)
    let new = try desk.read(path)
    let aside = try replaceFolder(desk)
    #expect(try journal.recover().conflicts.count == 1)
    try journal.end(try #require(try journal.runs(limit: 1).first).id, as: .running)
    try bringBack(aside, desk)
    #expect(try journal.recover().finished.count == 1)
    #expect(try desk.read(path) == new)
    #expect(try desk.leftovers() == [])
  }

  @Test("A file whose name is that of a settled change in another folder is unknown.")
  func settledElsewhere() throws {
    let desk = try Desk()
    let journal = try desk.journal()
    _ = try interrupt(desk, journal, steps: 2)
    let scratch = try #require(try journal.unsettled().entries.first?.scratch)
    let name = try #require(FilePath(bytes: Array(scratch)).lastComponent)
    _ = try journal.recover()
    let folder = desk.scratch.url.filePath.appending("elsewhere")
    #expect(mkdir(folder.string, 0o700) == 0)
    try desk.write(noise(900, seed: 5), to: folder.appending(name))
    let left = try Leftover.all(in: [folder], of: journal, removing: true)
    #expect(left.map(\.use) == [.unknown] && left.map(\.photo) == [nil])
  }

  @Test("The old file of a change stays if its row is wrong, and the row is corrected.")
  func wrongRow() throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let path = try interrupt(desk, journal, steps: 4)
    let new = try desk.read(path)
    #expect(new != UnknownFileTests.photo)
    var entry = try #require(try journal.unsettled().entries.first)
    (entry.state, entry.reason) = (.failed, Journal.cutOff)
    try journal.update([entry])
    #expect(try journal.recover().finished.count == 1)
    #expect(try desk.read(path) == new)
    #expect(try desk.leftovers() == [])
    let run = try #require(try journal.runs(limit: 1).first)
    #expect(run.changed == 1)
  }

  @Test("A file of another change isn't removed if a row that failed mentions its name.", arguments: ["", ".old"])
  func sameName(ending: String) throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let path = try interrupt(desk, journal, steps: 2)
    var entry = try #require(try journal.unsettled().entries.first)
    (entry.state, entry.reason) = (.failed, Journal.cutOff)
    try journal.update([entry])
    let scratch = try #require(entry.scratch.flatMap { FilePath(bytes: Array($0)).lastComponent })
    for name in try desk.leftovers() { unlink(desk.photos.appending(name).string) }
    let other = noise(5_000, seed: 12)
    let kept = try desk.photo(other, scratch.string + ending)
    _ = try journal.recover()
    _ = try journal.recover()
    #expect(try desk.read(kept) == other)
    #expect(try desk.read(path) == UnknownFileTests.photo)
  }

  @Test("A file is named after the photo that shows the same picture, and never replaces another.")
  func restored() throws {
    let desk = try Desk()
    for (name, source) in [("IMG_1.JPG", "aurora-01-jetty.jpg"), ("IMG_2.JPG", "aurora-02-island.jpg")] {
      let photo = Corpus.project.appending(path: "SampleImages/\(source)")
      try desk.photo([UInt8](try Data(contentsOf: photo)), name)
    }
    let second = try ImageSource(desk.photos.appending("IMG_2.JPG"))
    let edited = try second.patch(for: try MetadataEdit.place(altitude: 56)).applied(to: second.file)
    for number in 1...2 {
      let path = try desk.photo(edited, ".metatag-feed-1-\(number).tmp")
      let restored = try Leftover(path: path, use: .unknown).restore()
      #expect(restored.lastComponent == (number == 1 ? "IMG_2-recovered.JPG" : "IMG_2-recovered-1.JPG"))
      #expect(try desk.read(restored) == edited)
    }
    let other = try desk.photo(noise(900), ".metatag-feed-1-3.tmp")
    #expect(try Leftover(path: other, use: .unknown).restore().lastComponent == "photo-recovered.tmp")
  }
}
