import ArgumentParser
import MetaTag
import SystemPackage

/// How what Google Takeout says is used.
struct TakeoutOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the photos were taken: +02:00, or a name: Europe/Vienna.", valueName: "zone"),
    transform: Zone.argument)
  var zone: Zone?

  @Option(help: "What to do with what photos record themselves.")
  var overwrite = PlainOverwrite.keep
}

extension TakeoutFolders {
  /// Planners by these options.
  func planners(
    _ options: TakeoutOptions, takingPlaces: Bool, telling console: Console
  ) -> @Sendable (Shot) -> any Planner {
    let zones = ZoneLookup(telling: console)
    let (zone, overwrite) = (options.zone, options.overwrite.rule)
    return { shot in
      var planner = planner(for: shot) { zones.zone(at: $0) }
      planner.zone = zone
      planner.overwrite = overwrite
      planner.takesPlaces = takingPlaces
      return planner
    }
  }
}
