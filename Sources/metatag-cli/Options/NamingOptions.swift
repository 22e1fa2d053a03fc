import ArgumentParser

/// Which names of places are written, and where.
struct NamingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Names in this language as far as they are known: de, ja, zh-TW. (default: the gazetteer's, mostly English)",
      valueName: "language"),
    transform: TextArgument.argument)
  var language: TextArgument?

  @Flag(help: "Write them for the place that the picture shows too (LocationShown).")
  var shown = false

  @Flag(help: "Write IPTC IIM too where a JPEG or TIFF has none; one that is there always follows.")
  var iptc = false

  /// Whether any is given.
  var areGiven: Bool { language != nil || shown || iptc }
}
