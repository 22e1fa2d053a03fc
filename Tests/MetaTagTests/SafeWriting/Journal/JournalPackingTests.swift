@testable import SafeWriting
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Packed rows of the journal")
struct JournalPackingTests {
  static let samples: [[Splice]] = [
    [], [Splice(0..<0, [])], [Splice(5..<900, [1, 2, 3]), Splice(900..<900, noise(300)), .erasing(1_000..<9_000)],
    [Splice(0..<4, [UInt8](repeating: 0x20, count: 5_000), usedBy: .new), Splice(7..<(1 << 40), [])],
  ]

  @Test("Splices are unpacked as they were packed, and take few bytes.", arguments: samples)
  func splices(_ splices: [Splice]) throws {
    let packed = try PackedSplices.packed(splices)
    #expect(try PackedSplices.unpacked(packed) == splices)
    #expect(packed.count < 420)
  }

  @Test("Damaged splices are an error or others, never a trap.")
  func damaged() throws {
    var chance = SeededGenerator(seed: 5)
    for packed in try Self.samples.map(PackedSplices.packed) {
      for length in 0..<packed.count {
        #expect(throws: FileError.self) { try PackedSplices.unpacked(packed.prefix(length)) }
      }
      for _ in 0..<2_000 {
        var bytes = packed
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
        _ = try? PackedSplices.unpacked(bytes)
      }
    }
    // A length that no compressed data can have.
    let (huge, bytes): ([UInt8], [UInt8]) = ([1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0], [0x78, 0x9C])
    #expect(throws: FileError.self) { try PackedSplices.unpacked(Data(huge + bytes)) }
  }

  @Test("An identity is unpacked as it was packed, with any numbers of a file system.")
  func identities() throws {
    let desk = try Desk()
    var identity = FileIdentity(desk.status(try desk.photo([1])))
    for time in [FileTime(seconds: 0, nanoseconds: 0), FileTime(seconds: .min, nanoseconds: 999_999_999)] {
      (identity.size, identity.modified) = (.max, time)
      #expect(try FileIdentity(packed: identity.packed) == identity)
      #expect(identity.packed.starts(with: FileIdentity.packed(size: .max)))
      for length in 0..<identity.packed.count {
        #expect(throws: FileError.self) { try FileIdentity(packed: identity.packed.prefix(length)) }
      }
      #expect(throws: FileError.self) { try FileIdentity(packed: identity.packed + [0]) }
    }
  }

  @Test("A fingerprint is unpacked as it was packed.", arguments: [[], [10..<20], [0..<5, 5..<5, 70..<100]])
  func fingerprints(_ pictures: [Range<Int>]) throws {
    let data = try Fingerprint(of: Bytes(noise(100)), pictures: pictures).data
    #expect(try Fingerprint.unpacked(Fingerprint.packed(data)) == data)
    #expect(throws: FileError.self) { try Fingerprint.unpacked(Data()) }
  }

  @Test("A change takes at most 400 bytes in the journal, whether it is in place or not.", arguments: [false, true])
  func size(inPlace: Bool) throws {
    let desk = try Desk()
    let paths = try (0..<300).map { number in
      let path = try desk.photo(noise(3_000, seed: UInt32(number)), "IMG_\(number).jpg")
      if inPlace { #expect(link(path.string, path.string + ".link") == 0) }
      return path
    }
    let new = inPlace ? noise(8, seed: 3) : noise(9, seed: 3)
    let (run, results) = try desk.change(paths, [Splice(20..<28, new), Splice(3_000..<3_000, noise(400))])
    #expect(results.compactMap(\.error) == [])
    try desk.journal().database.writeWithoutTransaction { db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM splice") == 0)
      try db.execute(sql: "VACUUM")
      let empty = 20
      let pages = try #require(try Int.fetchOne(db, sql: "PRAGMA page_count"))
      #expect((pages - empty) * 4_096 < paths.count * 400)
    }
    #expect(try desk.undo(run).outcomes == paths.map { _ in .restored })
  }

  @Test("Rows of an earlier version and new rows are undone together.")
  func mixed() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(500))
    let first = try desk.change([path], [Splice(0..<3, [1])]).run
    try desk.unpackJournal()
    let earlier = try #require(try Journal.reading(directory: desk.state))
    #expect(try earlier.damage() == nil && earlier.operations(of: first).map(\.path) == [path])
    let second = try desk.change([path], [Splice(100..<100, noise(30))]).run
    #expect(try desk.undo(second).outcomes == [.restored])
    #expect(try desk.undo(first).outcomes == [.restored])
    #expect(try desk.read(path) == noise(500))
  }
}
