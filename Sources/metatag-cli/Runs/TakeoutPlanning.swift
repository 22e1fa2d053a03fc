import MetaTag

extension TakeoutFolders {
  /// Planners by these options.
  func planners(
    _ options: DatingOptions, takingPlaces: Bool, telling console: Console
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
