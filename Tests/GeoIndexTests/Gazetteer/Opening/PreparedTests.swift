import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GeoIndex

/// The gazetteer that is expanded once, for many users and processes that write nothing.
@Suite("Prepared folder of the gazetteer")
struct PreparedTests {
  let scratch: Scratch
  let gazetteer: URL
  var folder: URL { scratch.url.appending(path: "prepared/metatag") }

  init() throws {
    scratch = try Scratch()
    gazetteer = try scratch.write(TinyGazetteer().bytes, as: "gazetteer.bin")
  }

  private func prepare() throws { try Gazetteer.prepare(in: folder, gazetteer: gazetteer) }
  private func opened(_ folder: URL? = nil) throws -> Gazetteer {
    try Gazetteer.openPrepared(in: folder ?? self.folder, gazetteer: gazetteer)
  }

  private func file(_ part: String) throws -> URL {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try #require(files.first { $0.pathExtension == part })
  }

  /// The names, inodes, sizes and times of everything in a folder.
  private func state(_ folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
      var status = stat()
      #expect(lstat(folder.appending(path: name).path, &status) == 0)
      return "\(name) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
  }

  @Test("A prepared folder and its copies are opened, and nothing is written.")
  func open() throws {
    try prepare()
    let copy = scratch.url.appending(path: "copy")
    try FileManager.default.copyItem(at: folder, to: copy)
    let cache = scratch.url.appending(path: "cache")
    for folder in [folder, copy] {
      let before = try state(folder)
      #expect(try opened(folder).search("kyo", limit: 5).map(\.place.name) == ["Kyoto"])
      let index = try Gazetteer(gazetteer: gazetteer, cacheDirectory: cache, preparedDirectories: [cache, folder])
      #expect(try index.search("uji", limit: 5).map(\.place.name) == ["Uji"])
      _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: folder)
      #expect(try state(folder) == before)
    }
    #expect(!FileManager.default.fileExists(atPath: cache.path))
  }

  @Test("What is prepared next to the gazetteer's folder is found without naming it.")
  func installed() throws {
    let share = scratch.url.appending(path: "share/metatag")
    let installed = share.appending(path: "gazetteer/gazetteer.bin")
    try FileManager.default.createDirectory(
      at: installed.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: gazetteer, to: installed)
    try Gazetteer.prepare(in: share, gazetteer: installed)
    let cache = scratch.url.appending(path: "cache")
    _ = try Gazetteer(gazetteer: installed, cacheDirectory: cache)
    #expect(!FileManager.default.fileExists(atPath: cache.path))
    // The folder with the compact gazetteer isn't taken for a leftover.
    #expect(FileManager.default.fileExists(atPath: installed.path))
  }

  @Test("Preparing again changes nothing, also if the folder is read-only by now.")
  func again() throws {
    try prepare()
    let before = try state(folder)
    try FileManager.default.removeItem(at: folder.appending(path: "gazetteer.lock"))
    try FileManager.default.createDirectory(
      at: folder.appending(path: "gazetteer.lock"), withIntermediateDirectories: false)
    try prepare()
    #expect(
      try state(folder).filter { !$0.hasPrefix("gazetteer.lock") } == before.filter { !$0.hasPrefix("gazetteer.lock") })
  }

  @Test("Every user may read the prepared files.")
  func modes() throws {
    try prepare()
    for part in Expansion.parts {
      let mode = try FileManager.default.attributesOfItem(atPath: file(part).path)[.posixPermissions] as? Int
      #expect(mode == 0o644)
    }
  }

  @Test("A folder that isn't whole is not opened, and is prepared again.", arguments: Expansion.parts + ["prepared"])
  func incomplete(part: String) throws {
    try prepare()
    let sound = try Data(contentsOf: file(part))
    try sound.dropLast(3).write(to: file(part))
    for _ in 0..<2 {
      #expect(throws: GeoIndexError.self) { try opened() }
      try prepare()
      #expect(try Data(contentsOf: file(part)) == sound)
      #expect(try opened().search("uji", limit: 5).map(\.place.name) == ["Uji"])
      try FileManager.default.removeItem(at: file(part))
    }
  }

  @Test("A damaged file of the right size is found when the folder is prepared again.")
  func damaged() throws {
    try prepare()
    let sound = try Data(contentsOf: file("places"))
    var bytes = sound
    bytes[bytes.count / 2] ^= 0x10
    try bytes.write(to: file("places"))
    try prepare()
    #expect(try Data(contentsOf: file("places")) == sound)
  }

  @Test("Cancelling leaves nothing that could be opened.", arguments: [1, 2, 4])
  func cancelled(at call: Int) throws {
    var calls = 0
    let error = #expect(throws: GeoIndexError.self) {
      try Gazetteer.prepare(in: folder, gazetteer: gazetteer) { _ in
        calls += 1
        if calls == call { throw CancellationError() }
      }
    }
    #expect(error?.code == .cancelled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["gazetteer.lock"])
    #expect(throws: GeoIndexError.self) { try opened() }
  }

  @Test("A task prepares and opens the gazetteer; cancelling it leaves nothing that could be opened.")
  func tasks() async throws {
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      try await Gazetteer.prepare(in: folder, gazetteer: gazetteer)
    }
    cancelled.cancel()
    let error = await #expect(throws: GeoIndexError.self) { try await cancelled.value }
    #expect(error?.code == .cancelled)
    #expect(throws: GeoIndexError.self) { try opened() }
    let shares = Mutex<[Double]>([])
    try await Gazetteer.prepare(in: folder, gazetteer: gazetteer) { share in shares.withLock { $0.append(share) } }
    #expect(try opened().search("uji", limit: 5).map(\.place.name) == ["Uji"])
    shares.withLock { #expect($0 == $0.sorted() && $0.last == 1) }
  }

  @Test("Preparing replaces what an earlier version prepared; opening a cache in that folder leaves it.")
  func earlierVersion() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let earlier = ["places", "towns", "prepared"].map { folder.appending(path: "gazetteer-0.1-aaaa.\($0)") }
    for file in earlier { try Data("old".utf8).write(to: file) }
    _ = try Gazetteer(gazetteer: gazetteer, cacheDirectory: folder)
    #expect(earlier.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    try prepare()
    #expect(earlier.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
  }

  @Test("A folder that isn't prepared has an error of its own, and nothing is written into it.")
  func unprepared() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let error = #expect(throws: GeoIndexError.self) { try opened() }
    #expect(error?.code == .notPrepared)
    #expect(try state(folder).isEmpty)
  }

  @Test("A folder that can't be written is an error that names it.")
  func unwritable() throws {
    let blocked = try scratch.write([], as: "file")
    for folder in [blocked, blocked.appending(path: "below")] {
      let error = #expect(throws: GeoIndexError.self) { try Gazetteer.prepare(in: folder, gazetteer: gazetteer) }
      #expect(error?.code == .cache)
      #expect(error?.description.contains(folder.path) == true)
    }
  }
}
