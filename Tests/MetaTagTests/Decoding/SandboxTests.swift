@testable import Decoding
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Sandbox of the decoders")
struct SandboxTests {
  /// The program for pictures has a few more rights.
  static let programs = [CodecPool.Program.metadata, .pictures]

  @Test("Opening a file or a socket is refused.", arguments: ["open", "create", "inet", "unix"], programs)
  func refused(attempt: String, program: CodecPool.Program) throws {
    let (reason, status) = try ending(of: attempt, program)
    #expect(reason == .exit && status == 0)
  }

  @Test(
    "Any other attempt ends the process at once.",
    arguments: ["connect", "unlink", "rename", "fork", "kill", "exec", "write", "pwrite", "code", "share"], programs)
  func killed(attempt: String, program: CodecPool.Program) throws {
    let (reason, status) = try ending(of: attempt, program)
    #expect(reason == .uncaughtSignal && status == SIGSYS)
  }

  @Test("The program refuses to run without its client.")
  func alone() throws {
    let program = path(.metadata)
    let answer = try Oracle.run(program.string, [])
    #expect(answer.status == 1)
    #expect(answer.errors.contains("metatag starts this program"))
  }

  @Test("The programs are small and have no Swift runtime, which would start more slowly.", arguments: programs)
  func runtime(program: CodecPool.Program) throws {
    let path = path(program).string
    let libraries = try Oracle.run("ldd", [path])
    #expect(libraries.status == 0 && libraries.text.contains("libc.so") && !libraries.text.contains("libswift"))
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) < 512 << 10)
  }

  private func path(_ program: CodecPool.Program) -> FilePath {
    FilePath(Corpus.product(program.rawValue).path)
  }

  private func ending(
    of attempt: String, _ program: CodecPool.Program
  ) throws -> (Process.TerminationReason, Int32) {
    let process = Process()
    process.executableURL = URL(filePath: path(program).string)
    process.arguments = ["--self-test", attempt]
    try process.run()
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus)
  }
}
