import ArgumentParser
import Glibc
import MetaTag
import SystemPackage

/// Changes of a photo on standard input, which is written to standard output.
extension PhotoWriting {
  /// Writes the changed photo to standard output, and the report to standard error. Nothing is recorded in the journal.
  /// - Throws: `ValidationError` if standard output can't be the photo.
  func pass(
    _ photo: Photo, on console: Console, options: Batch.Options, _ planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    guard output.format == .text else {
      throw ValidationError("--json, --jsonl and --csv can't be used with -, because standard output is the photo.")
    }
    guard running.condition.condition == nil else {
      throw ValidationError("--where can't be used with -, the photo on standard input.")
    }
    guard options.sidecars.new != .always else {
      throw ValidationError("--sidecar always can't be used with -, because standard output is the photo.")
    }
    guard running.dryRun || isatty(STDOUT_FILENO) != 1 else {
      throw ValidationError("With -, standard output is the photo. Redirect it to a file: > photo.jpg")
    }
    var options = options
    options.fallback = Fallback(.fail)
    options.fixesExtensions = false
    options.sidecars.new = .never
    options.now = .now
    var report = Report(
      to: console, .text, isDryRun: running.dryRun, isQuiet: output.quiet, explains: running.explain,
      sumsUp: output.summary)
    var failure: (any Error)?
    await Batch(dryRun: options).run([photo], planning: planner) { outcome in
      do { if !running.dryRun { try outcome.write(photo, to: .standardOutput) } } catch { failure = error }
      report.add(outcome)
    }
    if let failure { throw SetupError("the photo could not be written to standard output: \(failure.words)") }
    try report.end()
  }
}
