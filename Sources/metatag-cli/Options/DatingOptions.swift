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
