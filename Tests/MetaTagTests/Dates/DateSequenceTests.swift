import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Sequences of dates")
struct DateSequenceTests {
  private func dates(_ sequence: DateSequence, _ names: [String], _ taken: [String: String] = [:]) throws -> [String] {
    let taken = try taken.reduce(into: [FilePath: CaptureTime]()) { dates, row in
      dates[FilePath(row.key)] = try CaptureTime(parsing: row.value)
    }
    let found = sequence.dates(for: names.map { FilePath($0) }, taken: taken) ?? [:]
    return found.sorted { $0.value.instant(at: .utc) < $1.value.instant(at: .utc) }.map { "\($0.key) \($0.value)" }
  }

  @Test("Dates follow the names in natural order, whatever the input order.")
  func names() throws {
    let start = try CaptureTime(parsing: "2024-02-28T23:59:59+01:00")
    let sequence = DateSequence(start: start, step: TimeShift(seconds: 1))
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20 {
      let names = ["b/s_1.tif", "a/s_10.tif", "a/s_2.tif"].shuffled(using: &generator)
      #expect(
        try dates(sequence, names) == [
          "a/s_2.tif 2024-02-28T23:59:59+01:00", "a/s_10.tif 2024-02-29T00:00:00+01:00",
          "b/s_1.tif 2024-02-29T00:00:01+01:00",
        ])
    }
  }

  @Test("Dates follow the recorded dates, then the names; photos without a date come last.")
  func taken() throws {
    var sequence = DateSequence(
      start: try CaptureTime(parsing: "2024-05-01T10:00:00"), step: try TimeShift(parsing: "0.5s"))
    sequence.order = .taken
    let taken = [
      "c": "2020-01-01T00:00:00", "b": "2020-01-01T00:00:00", "a": "2020-01-01T00:00:00.5", "z": "2019-01-01T00:00:00",
    ]
    #expect(
      try dates(sequence, ["e2", "a", "e10", "b", "z", "c"], taken) == [
        "z 2024-05-01T10:00:00", "b 2024-05-01T10:00:00.5", "c 2024-05-01T10:00:01.0", "a 2024-05-01T10:00:01.5",
        "e2 2024-05-01T10:00:02.0", "e10 2024-05-01T10:00:02.5",
      ])
  }

  @Test("Dates follow instants if all photos record their zone, else local times.")
  func instants() throws {
    var sequence = DateSequence(
      start: try CaptureTime(parsing: "2024-05-01T10:00:00"), step: try TimeShift(parsing: "1s"))
    sequence.order = .taken
    var taken = ["tokyo": "2020-01-01T10:00:00+09:00", "vienna": "2020-01-01T09:00:00+01:00"]
    #expect(try dates(sequence, ["tokyo", "vienna", "z"], taken).map { $0.prefix(2) } == ["to", "vi", "z "])
    taken["z"] = "2020-01-01T09:30:00"
    #expect(try dates(sequence, ["tokyo", "vienna", "z"], taken).map { $0.prefix(2) } == ["vi", "z ", "to"])
  }

  @Test("A sequence that would leave the calendar is refused.")
  func outside() throws {
    let sequence = DateSequence(
      start: try CaptureTime(parsing: "9999-12-31T23:59:59"), step: TimeShift(seconds: 1))
    #expect(sequence.dates(for: ["a"])?.count == 1)
    #expect(sequence.dates(for: ["a", "b"]) == nil)
    #expect(sequence.dates(for: []) == [:])
  }
}
