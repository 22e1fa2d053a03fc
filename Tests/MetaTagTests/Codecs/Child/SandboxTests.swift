import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("What a taken-over decoder could do")
struct SandboxTests {
  /// For metadata, and for pictures, where it may do a little more.
  static let purposes = [[], ["pictures"]]

  @Test("Opening files and sockets is refused", arguments: ["open", "create", "inet", "unix"], purposes)
  func refused(attempt: String, purpose: [String]) throws {
    let (reason, status) = try ending(of: attempt, purpose)
    #expect(reason == .exit && status == 0)
  }

  @Test(
    "Everything else ends it at once",
    arguments: ["connect", "unlink", "rename", "fork", "kill", "exec", "write", "pwrite", "code", "share"], purposes)
  func killed(attempt: String, purpose: [String]) throws {
    let (reason, status) = try ending(of: attempt, purpose)
    #expect(reason == .uncaughtSignal && status == SIGSYS)
  }

  @Test("It does nothing without its client")
  func alone() throws {
    let program = try #require(CodecPool.ownExecutable.flatMap(CodecPool.program(beside:)))
    let answer = try Oracle.run(program.string, [])
    #expect(answer.status == 1)
    #expect(answer.errors.contains("metatag starts this program"))
  }

  private func ending(
    of attempt: String, _ purpose: [String]
  ) throws -> (Process.TerminationReason, Int32) {
    let program = try #require(CodecPool.ownExecutable.flatMap(CodecPool.program(beside:)))
    let process = Process()
    process.executableURL = URL(filePath: program.string)
    process.arguments = ["--self-test", attempt] + purpose
    try process.run()
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus)
  }
}
