import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("The expanded gazetteer in the cache")
struct CacheTests {
  let scratch: Scratch
  let gazetteer: URL
  var cache: URL { scratch.url.appending(path: "cache/metatag") }

  init() throws {
    scratch = try Scratch()
    gazetteer = try scratch.write(TinyGazetteer().bytes, as: "gazetteer.bin")
  }

  private func open() throws -> Gazetteer { try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) }

  private func expanded(_ part: String = "sqlite") throws -> URL {
    let files = try FileManager.default.contentsOfDirectory(at: cache, includingPropertiesForKeys: nil)
    return try #require(files.first { $0.pathExtension == part })
  }

  private func inode(_ file: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
  }

  @Test("is made at first and kept from then on")
  func madeOnce() throws {
    #expect(try open().search("kyo", limit: 5).map(\.place.name) == ["Kyoto"])
    let first = try inode(expanded())
    #expect(try open().search("京都", limit: 5).map(\.place.name) == ["Kyoto"])
    #expect(try inode(expanded()) == first)
    let files = try FileManager.default.contentsOfDirectory(atPath: cache.path)
    #expect(Set(files.map { ($0 as NSString).pathExtension }) == ["sqlite", "names", "towns", "seal", "lock"])
  }

  @Test("is the same, byte for byte, every time it is made")
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

  @Test("is made again when it is damaged", arguments: Damage.allCases, Expansion.parts)
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

  @Test("is believed after a restored backup, whose times differ but not its bytes")
  func restored() throws {
    _ = try open()
    let file = try expanded()
    let before = try inode(file)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file.path)
    _ = try open()
    #expect(try inode(expanded()) == before)
  }

  @Test("is made with progress from nothing to all, and opened without any")
  func progress() throws {
    var shares: [Double] = []
    _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) { shares.append($0) }
    #expect(shares.first == 0 && shares.last == 1 && shares == shares.sorted())
    let count = shares.count
    _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache) { shares.append($0) }
    #expect(shares.count == count)
  }

  @Test(
    "ends when what is told the progress wants it to, leaves nothing, and is made the next time", arguments: [1, 2, 4])
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

  @Test("is made once and whole when many open it at the same time")
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

  @Test("removes what an interrupted expansion and another version left, and nothing else")
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
    #expect(files.contains("places.sqlite") && files.count == 6)
  }

  @Test("keeps what another version has used in the last month, and removes it later", arguments: [29, 31])
  func otherVersions(days: Double) throws {
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
    let parts = (Expansion.parts + ["seal"]).map { cache.appending(path: "gazetteer-0.1-aaaa.\($0)") }
    for part in parts { try Data("old".utf8).write(to: part) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: parts[3].path)
    _ = try open()
    #expect(parts.allSatisfy { FileManager.default.fileExists(atPath: $0.path) == (days < 30) })
  }

  @Test("that is opened is in use")
  func inUse() throws {
    _ = try open()
    let seal = try expanded("seal").path
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: seal)
    _ = try open()
    let used = try FileManager.default.attributesOfItem(atPath: seal)[.modificationDate] as? Date
    #expect(try #require(used) > old.addingTimeInterval(86_400))
  }

  @Test("leaves nothing of an expansion that fails on the way, as on a full disk")
  func failed() throws {
    let header = try GazetteerFile.header(of: gazetteer.path(percentEncoded: false))
    let error = #expect(throws: GeoIndexError.self) {
      _ = try Cache(directory: cache.path(percentEncoded: false), header: header).open { path in
        try Data("half".utf8).write(to: URL(filePath: "\(path).names"))
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
    #expect(error?.code == .cache)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path) == ["gazetteer.lock"])
    #expect(try open().search("uji", limit: 5).map(\.place.name) == ["Uji"])
  }

  @Test("that can't be written is said so, with the remedy")
  func unwritable() throws {
    let blocked = try scratch.write([], as: "file")
    let error = #expect(throws: GeoIndexError.self) {
      try Gazetteer(gazetteer: gazetteer, cacheDirectory: blocked.appending(path: "below"))
    }
    #expect(error?.code == .cache)
    #expect(error?.description.contains("XDG_CACHE_HOME") == true)
  }
}
