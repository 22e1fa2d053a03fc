import CFuzzer
import Foundation
import FuzzTargets

// Runs a parser on changed bytes, or once on each file:
//   metatag-fuzz TARGET [OPTION of libFuzzer]... [FILE or FOLDER]...
//   metatag-fuzz --targets

/// The target of the calls from libFuzzer, which passes on nothing but bytes.
nonisolated(unsafe) var target = FuzzTarget.jpeg

/// Prints why nothing is run, and ends the program.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("metatag-fuzz: \(message)\n".utf8))
  exit(2)
}

/// Runs the target once on each file, in folders too.
func replay(_ paths: [String]) {
  for path in paths {
    let inside = FileManager.default.subpaths(atPath: path)?.sorted().map { path + "/" + $0 } ?? []
    for file in inside.isEmpty ? [path] : inside {
      guard let bytes = try? Data(contentsOf: URL(filePath: file)) else { continue }
      let start = ContinuousClock.now
      _ = target.run([UInt8](bytes))
      let time = ContinuousClock.now - start
      print("\(file): \(bytes.count) bytes in \(time / .milliseconds(1)) ms")
    }
  }
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--targets" {
  for target in FuzzTarget.allCases { print(target.rawValue, target.longest) }
  exit(0)
}
guard let name = arguments.first, let chosen = FuzzTarget(rawValue: name) else {
  fail("the first argument is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
}
target = chosen

// libFuzzer reads the words behind the name of the program.
var words = ([CommandLine.arguments[0]] + arguments.dropFirst()).map { strdup($0) } + [nil]
let status = fuzzer_run(CInt(words.count - 1), &words) { start, count in
  target.run([UInt8](UnsafeBufferPointer(start: start, count: count))) ? 0 : -1
}
guard status < 0 else { exit(status) }
replay(arguments.dropFirst().filter { !$0.hasPrefix("-") })
