import ArgumentParser

/// Whether geotag writes place names.
struct PlaceNamesChoice: ParsableArguments {
  @Flag(help: "Also write place names: city, region and country.")
  var names = false

  @Flag(help: "With --place or --at, write only the names and no position.")
  var namesOnly = false
}
