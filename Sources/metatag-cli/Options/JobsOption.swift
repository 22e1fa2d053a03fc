import ArgumentParser

/// How many photos are worked on at once.
struct JobsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Photos worked on at once. (default: one per processor; two where they are written)", valueName: "count"))
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...1_024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024, not \(jobs).") }
  }
}
