import MetaTag
import SystemPackage

/// Reading of text files line by line.
extension FilePath {
  /// Calls `body` with each line that isn't empty, and its number.
  func eachLine(_ body: ([UInt8], Int) throws -> Void) throws {
    let input: FileDescriptor
    do {
      input = self == "-" ? .standardInput : try FileDescriptor.open(self, .readOnly, options: .closeOnExec)
    } catch let error as Errno {
      throw SetupError("\(printable): can't read it: \(error.words)")
    }
    defer { if self != "-" { try? input.close() } }
    var (buffer, number, isAtEnd) = (LineBuffer(), 0, false)
    while !isAtEnd {
      isAtEnd = try !buffer.read(from: input)
      var lines = buffer.takeLines()
      if isAtEnd, !buffer.rest.isEmpty { lines.append(buffer.rest) }
      for line in lines {
        number += 1
        if !line.isEmpty { try body(Array(buffer.bytes[line]), number) }
      }
      if !isAtEnd { buffer.dropLines() }
    }
  }
}
