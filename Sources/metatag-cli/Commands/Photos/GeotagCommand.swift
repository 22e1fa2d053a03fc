import ArgumentParser
import CSys
import GeoIndex
import MetaTag
import SystemPackage

/// `metatag geotag`: adds locations to photos from GPS tracks, coordinates or place names.
struct GeotagCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "geotag",
    abstract: "Add locations to photos from GPS tracks, coordinates or place names.",
    usage: """
      metatag geotag (--track <file> | --track-of <camera=file> |
                      --from-photos <folder> | --at <lat,lon> | --place <name>)
                     [<options>] <files> ...
      """,
    discussion: """
      EXAMPLES:
        metatag geotag --track day.gpx *.JPG
            where the track was when each photo was taken
        metatag geotag --track day.gpx --camera-zone Tokyo --offset +1h23m *.JPG
            the camera was on Tokyo time and 1 h 23 min slow
        metatag geotag --from-photos ~/phone camera/
            where a phone's photos were taken at that time
        metatag geotag --at 35.0116,135.7681 *.JPG
        metatag geotag --place "Springfield, Illinois" --names *.JPG
            one location for all photos, here with place names

      A photo keeps the location it has, unless you give --overwrite replace.
      Nothing is guessed: a photo outside the track, in a gap or without a known
      time zone is skipped, and the report says which option would place it.
      GEOTAG.md explains clocks, time zones, ambiguous place names, movies and JSON.
      """)

  @OptionGroup var reference: TrackOptions

  @OptionGroup(title: "Location sources") var given: GivenPlaceOptions

  @Option(
    help:
      "Whether to replace existing locations (if-better: only if the new one is more precise)."
  )
  var overwrite = Overwrite.keep

  @Flag(help: "Keep the speed, course, precision and GPS time of a replaced location.")
  var keepCompanions = false

  @OptionGroup(title: "Place names") var placeNames: PlaceNamesChoice
  @OptionGroup(title: "Place names") var oldNames: KeepNamesOption
  @OptionGroup(title: "Place names") var naming: NamingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  var relativeChange: RelativeChange? {
    reference.clock.fixDates ? RelativeChange(option: "--fix-dates", resumption: .continuation) : nil
  }

  var considersFinishedRuns: Bool { reference.correctsClocks }

  func validate() throws {
    let sources = [reference.isGiven, given.at != nil, given.place != nil].count { $0 }
    guard sources == 1 else {
      throw ValidationError("Give exactly one of --track (or --track-of), --from-photos, --at and --place.")
    }
    if overwrite == .ifBetter, !reference.isGiven {
      throw ValidationError("--overwrite if-better can only be used with --track or --from-photos.")
    }
    if naming.areGiven, !placeNames.names, !placeNames.namesOnly, given.place == nil {
      throw ValidationError("--language, --shown and --iptc require --names, --names-only or --place.")
    }
    if given.areaCenter, given.place == nil || placeNames.namesOnly {
      throw ValidationError("--area-center requires --place, and can't be used with --names-only.")
    }
    if placeNames.namesOnly, reference.isGiven {
      throw ValidationError("--names-only can only be used with --place or --at.")
    }
    if oldNames.keepNames, placeNames.names || placeNames.namesOnly {
      throw ValidationError("--keep-names can't be used with --names or --names-only, which write new ones.")
    }
  }

  func run() async throws {
    let console = input.console
    let files = try input.files(console: console, separately: edit.separately)
    let catalog = edit.condition.catalog
    let named = try namedPlace(console)
    let photos = await photos(of: files, catalog)
    let done = edit.despiteRun.isEmpty ? EarlierChanges() : try earlierChanges(among: photos, console: console)
    let planning = try await planning(of: named, console) {
      let tracks = try await tracks(console, catalog)
      // Reading photos needs more memory than what is learned from them.
      csys_return_memory()
      var planner = reference.planner(tracks, console)
      configure(&planner)
      try await reference.learn(
        from: .files(files.inputs, catalog, done), &planner, console, jobs: edit.work.count, catalog, done)
      csys_return_memory()
      return planner
    }
    let cameras = planning.owners.map { owners in
      CameraSummary(
        DateFixCommand(Argv.typed, input, separately: edit.separately), isTrial: edit.isTrial,
        CameraDiagnosis(owners, isLearned: reference.learnsFirst), movies: owners.movies)
    }
    let special = try specialPlanners(for: photos, planning, console)
    try await write(to: photos, on: console, catalog, cameras: cameras) { special[$0.input.path] ?? planning.planner }
  }

  /// The planner of the photos.
  private struct Planning {
    let planner: any Planner
    /// The planner of positions by time, if there is one.
    var owners: PerCameraPlanner?
  }

  private func tracks(
    _ console: Console, _ catalog: PhotoCatalog
  ) async throws -> [(camera: CameraName?, track: Track)] {
    try await reference.tracks(console, jobs: edit.work.count, catalog)
  }

  private func configure(_ planner: inout PerCameraPlanner) {
    for index in planner.parts.indices {
      planner.parts[index].planner.overwrite = overwrite
      planner.parts[index].planner.keepsCompanions = keepCompanions
    }
  }

  /// Returns the planner of the photos.
  /// - Parameter byTime: Returns the planner of positions, if photos are placed by time.
  private func planning(
    of named: Place?, _ console: Console, byTime: () async throws -> PerCameraPlanner
  ) async throws -> Planning {
    if placeNames.namesOnly || (named?.isArea ?? false) && !given.areaCenter {
      return Planning(planner: try givenNames(of: named, console))
    }
    guard reference.isGiven else {
      let location = try location(named, console)
      return Planning(planner: try withNames(try placePlanner(location), of: named, at: location, console))
    }
    let owners = try await byTime()
    return Planning(planner: try withNames(owners, of: named, at: nil, console), owners: owners)
  }

  /// Returns planners for the photos that need one of their own: photos whose dates a run moved before, photos that a
  /// run placed, and movies that don't name their camera.
  private func specialPlanners(
    for photos: [Photo], _ planning: Planning, _ console: Console
  ) throws -> [FilePath: any Planner] {
    let earlier = try earlierRuns(of: photos, console)
    var (planners, special) = (OwnPlanners(), [FilePath: any Planner]())
    for photo in photos {
      let path = photo.input.path
      special[path] = try planner(of: path, earlier[path], planning, among: &planners, console)
    }
    return special
  }

  /// The planners of photos that need one of their own, by what they need.
  private struct OwnPlanners {
    struct Need: Hashable {
      // Set for movies: each is read by the photos next to it.
      let movie: FilePath?
      let earlier: PhotoLine.EarlierRuns?
    }

    var planners: [Need: any Planner] = [:]
  }

  /// Returns the planner of a photo that needs one of its own.
  private func planner(
    of path: FilePath, _ earlier: PhotoLine.EarlierRuns?, _ planning: Planning, among planners: inout OwnPlanners,
    _ console: Console
  ) throws -> (any Planner)? {
    guard let owners = planning.owners else { return nil }
    let need = OwnPlanners.Need(movie: owners.movies[path].map { _ in path }, earlier: earlier)
    guard need.movie != nil || earlier != nil else { return nil }
    if let planner = planners.planners[need] { return planner }
    let own = owners.planner(of: path, datedBy: earlier?.datedBy, isPlaced: earlier?.isPlaced ?? false)
    let planner = try withNames(own, of: nil, at: nil, console)
    planners.planners[need] = planner
    return planner
  }

  /// Returns a planner of positions and the names that go with them. At the position of a named place, only that
  /// place's own names are used, not those of the smaller place that contains the position.
  private func withNames(
    _ positions: any Planner, of place: Place?, at position: Location?, _ console: Console
  ) throws -> any Planner {
    guard placeNames.names else {
      guard let place, place.isArea, !oldNames.keepNames else {
        return oldNames.following(positions, console: console)
      }
      let areaNames = NamedPlace(try namer(console).names(of: place))
      return NamesFollowing(positions) { _, _, _ in areaNames.names }
    }
    var naming = try NamePlanner(naming, overwrite, console: console)
    if let place, let position {
      let (own, lookUp) = (NamedPlace(try namer(console).names(of: place)), naming.lookUp)
      naming.lookUp = { $0.coordinate.isSame(as: position.coordinate) ? own : lookUp($0) }
    }
    return PlaceAndNamePlanner(positions, naming: naming)
  }

  private func namer(_ console: Console) throws -> PlaceNamer {
    try PlaceNamer.opened(naming.language?.text, in: Gazetteer.opened(console: console))
  }

  /// Returns the place that --place names, or nil for coordinates with an altitude, which need no gazetteer.
  private func namedPlace(_ console: Console) throws -> Place? {
    guard let place = given.place, Location.withAltitude(place.text) == nil else { return nil }
    let index = try Gazetteer.opened(console: console)
    try index.require(language: naming.language?.text)
    let found = try index.onePlace(place.text, language: naming.language?.text, console: console)
    if given.areaCenter, !found.isArea {
      throw SetupError("--area-center is for countries and regions; \(found.line) is a place with a position.")
    }
    if found.isArea, !given.areaCenter, !placeNames.namesOnly {
      console.warn("Only its names are written. To write its center as the location too, add --area-center.")
    }
    if !given.noRecent, !edit.isTrial { UserPlaces.remember(found, console: console) }
    return found
  }

  /// Returns a planner that writes only the names of the place.
  private func givenNames(of place: Place?, _ console: Console) throws -> GivenNamesPlanner {
    let namer = try namer(console)
    let found: PlaceNamer.Names
    if let place {
      found = try namer.names(of: place)
    } else {
      found = try namer.names(of: try location(nil, console))
    }
    let named = NamedPlace(found)
    guard !named.names.isEmpty else { throw SetupError("no name is known for this place") }
    var planner = GivenNamesPlanner(named)
    planner.overwrite = overwrite
    planner.keepsLocated = !placeNames.namesOnly
    planner.elsewhere = try place.map { namer.elsewhere(than: $0) } ?? namer.elsewhere(than: location(nil, console))
    (planner.namesPlaceShown, planner.addsIPTC) = (naming.shown, naming.iptc)
    return planner
  }

  private func placePlanner(_ location: Location) throws -> PlacePlanner {
    if edit.plan != nil, location.coordinate.isNoFix {
      throw SetupError("the position 0, 0 usually means no GPS fix, and 'apply' would refuse it: leave out --plan")
    }
    var planner = PlacePlanner(location)
    planner.overwrite = overwrite
    planner.keepsCompanions = keepCompanions
    return planner
  }

  private func location(_ named: Place?, _ console: Console) throws -> Location {
    if let at = given.at ?? given.place.flatMap({ Location.withAltitude($0.text) }) { return at }
    guard let named else { throw SetupError("no location is given") }
    guard named.isArea else { return try named.location }
    guard let center = try Gazetteer.opened(console: console).center(of: named),
      let coordinate = Coordinate(latitude: center.latitude, longitude: center.longitude)
    else {
      throw SetupError(
        "The gazetteer doesn't know the border of \(named.line), so it has no center. Give coordinates instead (--at).")
    }
    let kilometres = Int((center.reach / 1_000).rounded(.up))
    console.warn(
      "Its center is \(coordinate); its farthest border is \(kilometres) km from there, which is recorded as the error."
    )
    var location = Location(coordinate)
    location.horizontalError = center.reach
    return location
  }
}

extension GeotagCommand: PortionPlanning {
  func learn(from facts: [FileFacts], _ console: Console) async throws -> JobKnowledge {
    let catalog = PhotoCatalog()
    var found: [(camera: CameraName?, track: Track)] = []
    let planning = try await planning(of: try namedPlace(console), console) {
      found = try await tracks(console, catalog)
      var planner = reference.planner(found, console)
      configure(&planner)
      try await reference.learn(from: .facts(facts), &planner, console, jobs: edit.work.count, catalog)
      return planner
    }
    return JobKnowledge(learned: planning.owners?.learned, tracks: found)
  }

  func earlierRuns(of photos: [Photo], _ console: Console) throws -> [FilePath: PhotoLine.EarlierRuns] {
    guard reference.isGiven, reference.correctsClocks else { return [:] }
    let dated = try DatedPhotos(among: photos, despite: edit.despiteRun, isTrial: edit.isTrial, console: console)
    let isPlacingAnew = !reference.clock.fixDates && overwrite != .keep
    let placed = isPlacingAnew ? try PlacedPhotos(among: photos) : PlacedPhotos()
    var found: [FilePath: PhotoLine.EarlierRuns] = [:]
    for photo in photos {
      let earlier = PhotoLine.EarlierRuns(
        datedBy: dated.run(of: photo.input.path), isPlaced: placed.clock(of: photo) != nil)
      if earlier != PhotoLine.EarlierRuns() { found[photo.input.path] = earlier }
    }
    return found
  }

  func planning(
    _ knowledge: JobKnowledge, _ console: Console
  ) async throws -> (PhotoLine) throws -> any Planner {
    let planning = try await planning(of: try namedPlace(console), console) {
      guard let learned = knowledge.learned else {
        throw SetupError("photos can't be placed by their times without --clocks, which 'metatag clocks' makes")
      }
      var planner = reference.planner(knowledge.tracks, console)
      configure(&planner)
      try planner.adopt(learned)
      return planner
    }
    var planners = OwnPlanners()
    return { line in
      let earlier = line.earlier == PhotoLine.EarlierRuns() ? nil : line.earlier
      return try planner(of: line.paths[0], earlier, planning, among: &planners, console) ?? planning.planner
    }
  }
}
