import ArgumentParser
import MetaTag

/// What `--offset` takes.
enum ClockOffset: Hashable, Sendable {
  /// Add this to all photos' times.
  case span(TimeShift)
  /// Find out for each camera.
  case auto

  static func argument(_ word: String) throws -> ClockOffset {
    let text = try Argv.text(of: word)
    return text == "auto" ? .auto : .span(try TimeShift.argument(word))
  }

  /// What holds for every camera.
  var span: TimeShift {
    switch self {
    case .span(let span): span
    case .auto: .zero
    }
  }
}
