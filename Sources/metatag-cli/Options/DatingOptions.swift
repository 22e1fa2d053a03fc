import ArgumentParser
import MetaTag

/// Options for a date that is known as an instant.
struct DatingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time zone where the photos were taken: +02:00, Europe/Vienna, Vienna, @home. (default: from each photo's location)",
      valueName: "zone"),
    transform: Zone.argument)
  var zone: Zone?

  @Option(help: "Whether to replace what photos already record.")
  var overwrite = PlainOverwrite.keep
}

/// Options for photos that can't be changed.
struct FallbackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For a HEIF or AVIF file that can't be changed: write a JPEG copy with all its metadata (jpeg) or an XMP sidecar "
        + "next to it, or fail.", valueName: "what"))
  var fallback = Fallback.Choice.jpeg

  @Option(help: ArgumentHelp("Quality of that JPEG, 1–100.", valueName: "number"))
  var jpegQuality = 95

  @Flag(
    help: ArgumentHelp(
      "Exit with status 1 if --fallback wrote a JPEG or a sidecar. Sidecars written because of --raw or --sidecar don't "
        + "count."))
  var strict = false

  func validate() throws {
    guard 1...100 ~= jpegQuality else { throw ValidationError("--jpeg-quality takes 1 to 100, not \(jpegQuality).") }
  }
}
