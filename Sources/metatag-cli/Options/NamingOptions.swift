import ArgumentParser

/// Options for place names.
struct NamingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Preferred language of place names: de, ja, zh-TW. (default: mostly English)",
      valueName: "language"),
    transform: TextArgument.argument)
  var language: TextArgument?

  @Flag(help: "Also write the names as the place shown in the picture (LocationShown).")
  var shown = false

  @Flag(help: "Also write IPTC IIM to a JPEG or TIFF that has none. Existing IPTC is always updated.")
  var iptc = false

  /// Whether any of them is given.
  var areGiven: Bool { language != nil || shown || iptc }
}
