import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Cache of the expanded gazetteer")
struct CacheTests {
  let scratch: Scratch
  let gazetteer: URL
  var cache: URL { scratch.url.appending(path: "cache/metatag") }

  init() throws {
    scratch = try Scratch()
    gazetteer = try scratch.write(TinyGazetteer().bytes, as: "gazetteer.bin")
  }

  private func open() throws -> Gazetteer { try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) }

  private func expanded(_ part: String = "places") throws -> URL {
    let files = try FileManager.default.contentsOfDirectory(at: cache, includingPropertiesForKeys: nil)
    return try #require(files.first { $0.pathExtension == part })
  }

  private func inode(_ file: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
  }

  @Test("The expansion is created once and kept.")
  func madeOnce() throws {
    #expect(try open().search("kyo", limit: 5).map(\.place.name) == ["Kyoto"])
    let first = try inode(expanded())
    #expect(try open().search("京都", limit: 5).map(\.place.name) == ["Kyoto"])
    #expect(try inode(expanded()) == first)
    let files = try FileManager.default.contentsOfDirectory(atPath: cache.path)
    #expect(Set(files.map { ($0 as NSString).pathExtension }) == ["places", "towns", "seal", "lock"])
  }

  @Test("The expansion is the same, byte for byte, every time.")
  func deterministic() throws {
    _ = try open()
    let first = try Expansion.parts.map { try Data(contentsOf: expanded($0)) }
    try FileManager.default.removeItem(at: cache)
    _ = try open()
    #expect(try Expansion.parts.map { try Data(contentsOf: expanded($0)) } == first)
  }

  enum Damage: CaseIterable {
    case truncated, empty, oneByte, gone, noSeal, foreignSeal
  }

  @Test("A damaged expansion is created again.", arguments: Damage.allCases, Expansion.parts)
  func damaged(_ damage: Damage, part: String) throws {
    _ = try open()
    let file = try expanded(part)
    let seal = file.deletingPathExtension().appendingPathExtension("seal")
    var bytes = try Data(contentsOf: file)
    let sound = bytes
    switch damage {
    case .truncated: try bytes.prefix(5000).write(to: file)
    case .empty: try Data().write(to: file)
    case .oneByte:
      bytes[bytes.count / 2] ^= 0x10
      try bytes.write(to: file)
    case .gone: try FileManager.default.removeItem(at: file)
    case .noSeal: try FileManager.default.removeItem(at: seal)
    case .foreignSeal: try Data("not a seal".utf8).write(to: seal)
    }
    #expect(try open().search("uji", limit: 5).map(\.place.name) == ["Uji"])
    #expect(try Data(contentsOf: expanded(part)) == sound)
  }

  @Test("An expansion from a backup, with other times but the same bytes, is used.")
  func restored() throws {
    _ = try open()
    let file = try expanded()
    let before = try inode(file)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file.path)
    _ = try open()
    #expect(try inode(expanded()) == before)
  }

  @Test("Creating the expansion reports progress from 0 to 1, and opening it reports none.")
  func progress() throws {
    var shares: [Double] = []
    _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) { shares.append($0) }
    #expect(shares.first == 0 && shares.last == 1 && shares == shares.sorted())
    let count = shares.count
    _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) { shares.append($0) }
    #expect(shares.count == count)
  }

  @Test(
    "Cancelling from the progress handler leaves nothing, and the next open creates the expansion.",
    arguments: [1, 2, 4])
  func cancelled(at call: Int) throws {
    var calls = 0
    let error = #expect(throws: GeoIndexError.self) {
      _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) { _ in
        calls += 1
        if calls == call { throw CancellationError() }
      }
    }
    #expect(error?.code == .cancelled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path) == ["gazetteer.lock"])
    #expect(try open().search("uji", limit: 5).map(\.place.name) == ["Uji"])
  }

  @Test("Many simultaneous opens create one whole expansion.")
  func together() async throws {
    let (gazetteer, cache) = (gazetteer, cache)
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache).search("paris", limit: 5).map(\.place.name)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: ["Paris"], count: 8))
  }

  @Test("Leftovers of an interrupted expansion and of other versions are removed, and nothing else.")
  func leftovers() throws {
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
    for name in [
      "gazetteer.partial", "gazetteer.partial.sqlite", "gazetteer.partial.names", "gazetteer-0.1-aaaa.sqlite",
      "places.sqlite",
    ] {
      try Data("old".utf8).write(to: cache.appending(path: name))
    }
    _ = try open()
    let files = try FileManager.default.contentsOfDirectory(atPath: cache.path)
    #expect(files.contains("places.sqlite") && files.count == 5)
  }

  @Test("Another version's expansion is kept for a month after its last use.", arguments: [29, 31])
  func otherVersions(days: Double) throws {
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
    let parts = (Expansion.parts + ["seal"]).map { cache.appending(path: "gazetteer-0.1-aaaa.\($0)") }
    for part in parts { try Data("old".utf8).write(to: part) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: parts[2].path)
    _ = try open()
    #expect(parts.allSatisfy { FileManager.default.fileExists(atPath: $0.path) == (days < 30) })
  }

  @Test("Opening the expansion marks it as used.")
  func inUse() throws {
    _ = try open()
    let seal = try expanded("seal").path
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: seal)
    _ = try open()
    let used = try FileManager.default.attributesOfItem(atPath: seal)[.modificationDate] as? Date
    #expect(try #require(used) > old.addingTimeInterval(86_400))
  }

  @Test("A failed expansion, as on a full disk, leaves nothing.")
  func failed() throws {
    let header = try GazetteerFile.header(of: gazetteer.path(percentEncoded: false))
    let error = #expect(throws: GeoIndexError.self) {
      _ = try Cache(directory: cache.path(percentEncoded: false), header: header).open { path in
        try Data("half".utf8).write(to: URL(filePath: "\(path).places"))
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
    #expect(error?.code == .cache)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path) == ["gazetteer.lock"])
    #expect(try open().search("uji", limit: 5).map(\.place.name) == ["Uji"])
  }

  @Test("A cache that can't be written is an error with a remedy.")
  func unwritable() throws {
    let blocked = try scratch.write([], as: "file")
    let error = #expect(throws: GeoIndexError.self) {
      try Gazetteer(gazetteer: gazetteer, cacheDirectory: blocked.appending(path: "below"))
    }
    #expect(error?.code == .cache)
    #expect(error?.remedy == .otherCacheFolder)
  }
}
