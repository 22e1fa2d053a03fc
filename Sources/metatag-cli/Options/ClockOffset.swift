import ArgumentParser
import MetaTag

/// What `--offset` takes.
enum ClockOffset: Hashable, Sendable {
  /// Add this to all photos' times.
  case span(TimeShift)
  /// Find out for each camera.
  case auto

  static func argument(_ word: String) throws -> ClockOffset {
    let text = Argv.text(of: word)
    // To exiftool, -geosync=1:20 is minutes and seconds, and a date's +=1:20 hours and minutes.
    guard text.count(where: { $0 == ":" }) != 1 else {
      throw ValidationError("'\(text.printable)' may be hours or minutes: write for example 1h20m or 1m20s")
    }
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
