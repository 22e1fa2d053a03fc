import ArgumentParser
import MetaTag

/// What becomes of the names of a place that a photo is moved away from.
struct KeepNamesOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep the place names of a photo whose location is replaced. Otherwise, if it moves by more than 100 m, they are "
        + "updated or removed."))
  var keepNames = false

  /// The same planner; names follow the positions that it replaces, unless they are to be kept.
  func following(_ planner: any Planner, console: Console) -> any Planner {
    keepNames ? planner : NamesOfMovedPhotos(console: console).following(planner)
  }
}
