import MetaTag

/// The data to import from Takeout in addition to dates.
struct TakeoutFields: Sendable {
  var places = false
  var albums = false
  var descriptions = false
  var people = false
  var favorites = false
}

extension TakeoutFolders {
  /// Returns planners with these options.
  func planners(
    _ options: DatingOptions, _ fields: TakeoutFields, console: Console
  ) -> @Sendable (Photo) -> any Planner {
    let zones = ZoneLookup(console: console)
    let (zone, overwrite) = (options.zone, options.overwrite.rule)
    return { photo in
      var planner = planner(for: photo) { zones.zone(at: $0) }
      if fields.places { planner.zoneElsewhere = zone } else { planner.zone = zone }
      planner.overwrite = overwrite
      planner.takesPlaces = fields.places
      if fields.albums { planner.albums = albums(of: photo) }
      planner.takesDescriptions = fields.descriptions
      planner.takesPeople = fields.people
      planner.takesFavorites = fields.favorites
      return planner
    }
  }
}
