import Foundation
import MetaTag
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Answers that wait for their reader")
struct AnswerQueueTests {
  /// An answer of `count` bytes.
  private static func answer(_ number: Int, _ count: Int) -> [UInt8] {
    let start = "\(number) "
    return Array((start + String(repeating: "x", count: max(0, count - start.utf8.count - 1)) + "\n").utf8)
  }

  @Test(
    "All answers arrive in order, however many there are before the first is read.", .timeLimit(.minutes(1)),
    arguments: [(1, 10), (100, 700), (2_000, 70), (3_000, 2_000), (40, 200_000)])
  func order(count: Int, size: Int) throws {
    let scratch = try Scratch()
    let pipe = Pipe()
    let queue = AnswerQueue(
      to: FileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor), spillingInto: FilePath(scratch.url.path))
    let answers = (0..<count).map { Self.answer($0, size) }
    answers.forEach(queue.add)
    let reader = Future { pipe.fileHandleForReading.readDataToEndOfFile() }
    try queue.finish()
    try pipe.fileHandleForWriting.close()
    #expect(Array(reader.value) == Array(answers.joined()))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
  }

  @Test("Without a folder for the temporary file, answers wait in memory.", .timeLimit(.minutes(1)))
  func memory() throws {
    let scratch = try Scratch()
    let file = try scratch.write([1], as: "file")
    let pipe = Pipe()
    let queue = AnswerQueue(
      to: FileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor), spillingInto: FilePath(file.path))
    let answers = (0..<1_000).map { Self.answer($0, 500) }
    answers.forEach(queue.add)
    let reader = Future { pipe.fileHandleForReading.readDataToEndOfFile() }
    try queue.finish()
    try pipe.fileHandleForWriting.close()
    #expect(Array(reader.value) == Array(answers.joined()))
  }

  @Test("When the reader is gone, nothing waits for it.", .timeLimit(.minutes(1)))
  func gone() throws {
    let scratch = try Scratch()
    let pipe = Pipe()
    signal(SIGPIPE, SIG_IGN)
    let queue = AnswerQueue(
      to: FileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor), spillingInto: FilePath(scratch.url.path))
    try pipe.fileHandleForReading.close()
    (0..<1_000).forEach { queue.add(Self.answer($0, 500)) }
    #expect(throws: Errno.brokenPipe) { try queue.finish() }
    #expect(queue.isClosed)
  }
}
