import ArgumentParser
import MetaTag

/// Whether to keep place names if a photo's location is replaced.
struct KeepNamesOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep the place names of a photo whose location is replaced. Otherwise, if it moves by more than 100 m, they are "
        + "updated or removed."))
  var keepNames = false

  /// Returns the planner, changed so that names follow the replaced locations unless `keepNames` is set.
  func following(_ planner: any Planner, console: Console) -> any Planner {
    keepNames ? planner : NamesOfMovedPhotos(console: console).following(planner)
  }
}
