public import ArgumentParser
public import MetaTag

// MetaTag's parsers as ArgumentParser calls them: one grammar for each unit, in the library and on the command line.

extension TimeShift {
  static func argument(_ word: String) throws -> TimeShift { try TimeShift(parsing: Argv.text(of: word)) }
}

extension Zone {
  static func argument(_ word: String) throws -> Zone { try Zone(parsing: Argv.text(of: word)) }
}

extension Coordinate {
  static func argument(_ word: String) throws -> Coordinate { try Coordinate(parsing: Argv.text(of: word)) }
}

extension Location {
  static func argument(_ word: String) throws -> Location { try Location(parsing: Argv.text(of: word)) }
}

extension CaptureTime {
  static func argument(_ word: String) throws -> CaptureTime { try CaptureTime(parsing: Argv.text(of: word)) }
}

extension Overwrite: ExpressibleByArgument {}
extension Conversion.Target: ExpressibleByArgument {}

extension Fallback.Choice: ExpressibleByArgument {}
