import ArgumentParser

/// The option that limits a command to a folder. `Confinement` applies it before the command line is read.
struct ConfinementOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read and change only files below this folder, whatever links, plans and tables lead to. Tracks, lists, plans and "
        + "tables may be elsewhere. Needs Linux with Landlock.", valueName: "folder", visibility: .shared))
  var root: PathArgument?
}
