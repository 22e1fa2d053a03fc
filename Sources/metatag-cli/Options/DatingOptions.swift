import ArgumentParser
import MetaTag

/// How a date that is known as an instant becomes a photo's.
struct DatingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the photos were taken: +02:00, Europe/Vienna, Vienna, @home. (default: each photo's place, where it is known; 'takeout' asks that first)",
      valueName: "zone"),
    transform: Zone.argument)
  var zone: Zone?

  @Option(help: "What to do with what photos record already.")
  var overwrite = PlainOverwrite.keep
}
