import ArgumentParser

/// For commands that don't change metadata: refuses `--plan` with a reason.
struct UnplannedOptions: ParsableArguments {
  @Option(help: .private)
  var plan: PathArgument?

  func validate() throws {
    guard plan == nil else {
      throw ValidationError(
        "--plan writes down changes of metadata, and this command makes none; --dry-run shows what it would do.")
    }
  }
}
