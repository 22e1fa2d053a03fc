import MetaTag

extension TakeoutFolders {
  /// Planners by these options.
  func planners(
    _ options: DatingOptions, takingPlaces: Bool, takingAlbums: Bool = false, telling console: Console
  ) -> @Sendable (Shot) -> any Planner {
    let zones = ZoneLookup(telling: console)
    let (zone, overwrite) = (options.zone, options.overwrite.rule)
    return { shot in
      var planner = planner(for: shot) { zones.zone(at: $0) }
      if takingPlaces { planner.zoneElsewhere = zone } else { planner.zone = zone }
      planner.overwrite = overwrite
      planner.takesPlaces = takingPlaces
      if takingAlbums { planner.albums = albums(of: shot) }
      return planner
    }
  }
}
