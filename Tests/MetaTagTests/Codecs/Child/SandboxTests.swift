import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("What a taken-over decoder could do")
struct SandboxTests {
  @Test("Opening files and sockets is refused", arguments: ["open", "create", "inet", "unix"])
  func refused(attempt: String) throws {
    let (reason, status) = try ending(of: attempt)
    #expect(reason == .exit && status == 0)
  }

  @Test(
    "Everything else ends it at once",
    arguments: ["connect", "unlink", "rename", "fork", "kill", "exec", "write", "code", "share"])
  func killed(attempt: String) throws {
    let (reason, status) = try ending(of: attempt)
    #expect(reason == .uncaughtSignal && status == SIGSYS)
  }

  @Test("It does nothing without its client")
  func alone() throws {
    let program = try #require(CodecPool.ownExecutable.flatMap(CodecPool.program(beside:)))
    let answer = try Oracle.run(program.string, [])
    #expect(answer.status == 1)
    #expect(answer.errors.contains("metatag starts this program"))
  }

  private func ending(of attempt: String) throws -> (Process.TerminationReason, Int32) {
    let program = try #require(CodecPool.ownExecutable.flatMap(CodecPool.program(beside:)))
    let process = Process()
    process.executableURL = URL(filePath: program.string)
    process.arguments = ["--self-test", attempt]
    try process.run()
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus)
  }
}
