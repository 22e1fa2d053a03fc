import ArgumentParser
import MetaTag

/// The value of `--offset`.
enum ClockOffset: Hashable, Sendable {
  /// A duration to add to all photos' times.
  case span(TimeShift)
  /// An estimate for each camera.
  case auto

  static func argument(_ word: String) throws -> ClockOffset {
    let text = try Argv.text(of: word)
    return text == "auto" ? .auto : .span(try TimeShift.argument(word))
  }

  /// The duration that applies to every camera.
  var span: TimeShift {
    switch self {
    case .span(let span): span
    case .auto: .zero
    }
  }
}
