import Foundation
import MetaTag
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Lines for a worker")
struct WorkerLinesTests {
  /// Returns the portions that are read of the pieces, which are written with pauses between them.
  private static func portions(_ pieces: [String], pause: TimeInterval = 0.5) throws -> [[WorkerLines.Line]] {
    let pipe = Pipe()
    let writer = Future {
      for (number, piece) in pieces.enumerated() {
        if number > 0 { Thread.sleep(forTimeInterval: pause) }
        pipe.fileHandleForWriting.write(Data(piece.utf8))
      }
      try? pipe.fileHandleForWriting.close()
    }
    var lines = WorkerLines(input: FileDescriptor(rawValue: pipe.fileHandleForReading.fileDescriptor))
    var portions: [[WorkerLines.Line]] = []
    while true {
      let next = try lines.next { false }
      guard !next.isEmpty else { break }
      portions.append(next)
    }
    writer.wait()
    #expect(lines.isAtEnd)
    return portions
  }

  @Test("A portion ends at 512 lines, and when nothing arrives for a while.", .timeLimit(.minutes(1)))
  func sizes() throws {
    let many = (1...1_100).map { "\($0)\n" }.joined()
    #expect(try Self.portions([many]).map(\.count) == [512, 512, 76])
    #expect(try Self.portions(["a\nb\n", "c\n"]).map(\.count) == [2, 1])
    #expect(try Self.portions(["a\nb", "b\nc\n"]).map(\.count) == [1, 2])
    #expect(try Self.portions([""]).isEmpty)
  }

  @Test("A portion ends a second after its first line, even if lines still arrive.", .timeLimit(.minutes(1)))
  func steadyLines() throws {
    let portions = try Self.portions((1...600).map { "\($0)\n" }, pause: 0.005)
    #expect(try #require(portions.first).count < 400)
    #expect(portions.joined().map(\.number) == Array(1...600))
  }

  @Test("Every line has its number and its bytes, also the last one without a line break, and empty ones.")
  func contents() throws {
    let lines = try Self.portions(["a\n\nc\r\nd"]).flatMap(\.self)
    #expect(lines.map(\.number) == [1, 2, 3, 4])
    #expect(lines.map { String(decoding: $0.bytes ?? [], as: UTF8.self) } == ["a", "", "c\r", "d"])
  }

  @Test("A line of more than 1 MB has no bytes, and the lines after it do.", arguments: [true, false])
  func long(isLast: Bool) throws {
    let long = String(repeating: "x", count: 1 << 20 + 1)
    let lines = try Self.portions(["a\n\(long)" + (isLast ? "" : "\nb\n")]).flatMap(\.self)
    #expect(lines.map(\.number) == Array(1...(isLast ? 2 : 3)))
    #expect(lines.map { $0.bytes?.count } == (isLast ? [1, nil] : [1, nil, 1]))
  }

  @Test(
    "Once the user wants to stop, lines that are there are read, and no others are waited for.", .timeLimit(.minutes(1))
  )
  func stop() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("a\nb\n".utf8))
    var lines = WorkerLines(input: FileDescriptor(rawValue: pipe.fileHandleForReading.fileDescriptor))
    #expect(try lines.next { true }.count == 2)
    #expect(try lines.next { true }.isEmpty)
    #expect(!lines.isAtEnd)
  }
}
