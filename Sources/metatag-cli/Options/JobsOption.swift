import ArgumentParser

/// The number of photos to process at once.
struct JobsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Photos to process at once. (default: one per processor; two when writing)", valueName: "count",
      visibility: .shared))
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...1_024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024, not \(jobs).") }
  }
}
