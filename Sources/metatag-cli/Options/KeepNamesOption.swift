import ArgumentParser
import MetaTag

/// What becomes of the names of a place that a photo is moved away from.
struct KeepNamesOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep the names of a replaced place. Without it, city, region and country of a photo that moves by more than 100 m "
        + "become those of its new place, in the same fields and language, or are removed."))
  var keepNames = false

  /// The same planner; names follow the positions that it replaces, unless they are to be kept.
  func following(_ planner: any Planner, console: Console) -> any Planner {
    keepNames ? planner : NamesOfMovedPhotos(console: console).following(planner)
  }
}
