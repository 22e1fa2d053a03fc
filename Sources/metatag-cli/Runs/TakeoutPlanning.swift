import MetaTag

/// The data to import from Takeout in addition to dates.
struct TakeoutWishes: Sendable {
  var places = false
  var albums = false
  var descriptions = false
  var people = false
  var favorites = false
}

extension TakeoutFolders {
  /// Returns planners with these options.
  func planners(
    _ options: DatingOptions, _ wishes: TakeoutWishes, console: Console
  ) -> @Sendable (Photo) -> any Planner {
    let zones = ZoneLookup(console: console)
    let (zone, overwrite) = (options.zone, options.overwrite.rule)
    return { photo in
      var planner = planner(for: photo) { zones.zone(at: $0) }
      if wishes.places { planner.zoneElsewhere = zone } else { planner.zone = zone }
      planner.overwrite = overwrite
      planner.takesPlaces = wishes.places
      if wishes.albums { planner.albums = albums(of: photo) }
      planner.takesDescriptions = wishes.descriptions
      planner.takesPeople = wishes.people
      planner.takesFavorites = wishes.favorites
      return planner
    }
  }
}
