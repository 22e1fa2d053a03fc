import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The parsers that `Scripts/fuzz` runs on changed bytes, on inputs that are kept.
@Suite("Fuzzed parsers")
struct FuzzTargetTests {
  /// Inputs of which each made its parser fail once. The folder has the target's name.
  private static let crashers = Corpus.project.appending(path: "Tests/Crashers")

  private static func files(in folder: URL) -> [URL] {
    (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
      .filter { !$0.hasDirectoryPath }
      .sorted { $0.path < $1.path }
  }

  /// Runs a target on a file, which must take less than a second.
  private static func run(_ target: FuzzTarget, on file: URL) throws -> Bool {
    let bytes = [UInt8](try Data(contentsOf: file))
    var isItsOwn = false
    let time = processorTime { isItsOwn = target.run(bytes) }
    #expect(time < .seconds(1), "\(target.rawValue): \(file.lastPathComponent)")
    return isItsOwn
  }

  @Test("A parser reads or refuses every sample image within a second.", arguments: FuzzTarget.allCases)
  func samples(target: FuzzTarget) throws {
    let files = Self.files(in: Corpus.project.appending(path: "SampleImages"))
    #expect(files.count > 20)
    for file in files { _ = try Self.run(target, on: file) }
  }

  @Test("An input that made a parser fail doesn't any more.", arguments: FuzzTarget.allCases)
  func crashers(target: FuzzTarget) throws {
    for file in Self.files(in: Self.crashers.appending(path: target.rawValue)) {
      #expect(try Self.run(target, on: file), "\(file.lastPathComponent) is not an input of \(target.rawValue)")
    }
  }

  /// Inputs that took seconds because of one part that is repeated.
  static let repetitions: [(target: FuzzTarget, head: String, part: String, count: Int, tail: String)] = [
    (.table, "name;lat;lon;date;dir", "e", 1_000_000, "\na.jpg;1;2;2024-05-01;\n"),
    (.table, "name", ",GPSLatitude,GPSLongitude", 20_000, "\n"),
    (.table, "name,lat,lon,taken,OffsetTimeOriginal\n", "a.jpg,1,2,2024-05-01 10:00:00,xyz\n", 2_000, ""),
    (.csv, "time,lat,lon", ",-30:30Z,-333", 100_000, "\n"),
    (.csvPlaces, "name,lat,lon", ",ameot", 16_000, "\nA,1,2\n"),
    (.csvPlaces, "name,lat,lon\n", "A,47 23.25N,8 34.5E\n", 20_000, ""),
    (
      .movie,
      "\0\0\0\u{14}ftypqt  \0\0\0\0qt  \0\0\0\0moov\0\0\0\u{6C}mvhd" + String(repeating: "\0", count: 100),
      "\0\0\0\u{10}udta\0\0\0\u{8}free", 25_000, ""
    ),
    (.webp, "RIFF\\^\u{7}\0WEBP", "EXIF\u{A}\0\0\0II*\0\u{8}\0\0\0\0\0", 26_828, ""),
    (.wikidata, "item,itemLabel,coord\nhttp://www.wikidata.org/entity/Q1,A,Point(1 2)\n", "a,b,c\n", 20_000, ""),
  ]

  @Test("A long input takes less than a second.", arguments: FuzzTargetTests.repetitions.indices)
  func repetition(index: Int) {
    let (target, head, part, count, tail) = Self.repetitions[index]
    let bytes = Array((head + String(repeating: part, count: count) + tail).utf8)
    let time = processorTime { #expect(target.run(bytes), "\(target.rawValue) doesn't recognize \(head)") }
    #expect(time < .seconds(1), "\(target.rawValue): \(head)")
  }

  @Test("Every kept input belongs to a parser.")
  func folders() {
    for file in Self.files(in: Self.crashers) {
      #expect(FuzzTarget(rawValue: file.deletingLastPathComponent().lastPathComponent) != nil, "\(file.path)")
    }
  }
}
