package import Foundation

/// Other programs that tests compare with.
package enum Oracle {
  /// The output and exit status of a program.
  package struct Answer: Sendable {
    /// Standard output.
    package let output: Data
    /// Standard error.
    package let errors: String
    /// Exit status.
    package let status: Int32
    /// Standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Whether `program` is on the PATH.
  package static func has(_ program: String) -> Bool { (try? run("which", [program]).status) == 0 }

  /// Runs `program` to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Data = Data(),
    in folder: URL? = nil
  ) throws -> Answer {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    if let folder { process.currentDirectoryURL = folder }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let scratch = try Scratch()
    // Files, not pipes, so that a program with much output never waits.
    let streams = try ["in", "out", "err"].map { name in
      let url = try scratch.write(name == "in" ? Data(input) : Data(), as: name)
      return try FileHandle(forUpdating: url)
    }
    (process.standardInput, process.standardOutput, process.standardError) = (streams[0], streams[1], streams[2])
    try process.run()
    process.waitUntilExit()
    return Answer(
      output: try Data(contentsOf: scratch.url.appending(path: "out")),
      errors: String(decoding: try Data(contentsOf: scratch.url.appending(path: "err")), as: UTF8.self),
      status: process.terminationStatus)
  }
}
