import ArgumentParser

/// For commands that change no photo's metadata: why there is no plan of them.
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
