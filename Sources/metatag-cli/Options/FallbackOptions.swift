import ArgumentParser
import MetaTag

/// What a command does about photos that can't be changed themselves.
struct FallbackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For a HEIF or AVIF file that can't be changed itself: write a JPEG with all its metadata beside it, "
        + "an XMP sidecar, or nothing.", valueName: "what"))
  var fallback = Fallback.Choice.jpeg

  @Option(help: ArgumentHelp("Quality of such a JPEG, 1 to 100.", valueName: "number"))
  var jpegQuality = 95

  @Flag(
    help: ArgumentHelp(
      "End with status 1 when a file that can't be changed itself got a JPEG or a sidecar by --fallback; sidecars by "
        + "--raw and --sidecar are as asked for."))
  var strict = false

  func validate() throws {
    guard 1...100 ~= jpegQuality else { throw ValidationError("--jpeg-quality takes 1 to 100, not \(jpegQuality).") }
  }
}
