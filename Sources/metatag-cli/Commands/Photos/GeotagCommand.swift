import ArgumentParser
import GeoIndex
import MetaTag
import SystemPackage

struct GeotagCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "geotag",
    abstract: "Put photos in their place: from tracks, at coordinates, or by a place's name.",
    usage: """
      metatag geotag (--track <file> | --track-of <camera=file> |
                      --from-photos <folder> | --at <lat,lon> | --place <name>)
                     [<options>] <files> ...
      """,
    discussion: """
      EXAMPLES:
        metatag geotag --track day.gpx *.JPG
            each photo where the track was at its time
        metatag geotag --track day.gpx --offset +1h23m --camera-zone Asia/Tokyo *.JPG
            the camera's clock was 1 h 23 min slow, and set to Japan's time
        metatag geotag --track day.gpx --offset +1h23m --fix-dates *.JPG
            and correct the photos' dates by that, too
        metatag geotag --track Timeline.json --track ~/tracks *.JPG
            by the phone's Timeline and all tracks in a folder
        metatag geotag --track day.gpx --offset auto --dry-run *.JPG
            what each camera's clock was wrong by, found from the photos
        metatag geotag --track day.gpx --sync IMG_7.JPG=2024-05-01T10:00:00Z *.JPG
            IMG_7.JPG shows a GPS receiver's clock; each camera has its own
        metatag geotag --track day.gpx --sync IMG_9.JPG=48.8584,2.2945 *.JPG
            IMG_9.JPG was taken there, when the track passed; also @pin, a code (LHR)
            or a name. What begins with a year and a dash is a time
        metatag geotag --track-of X-T4=alice.gpx --track-of EOS=bob.gpx *.JPG
            two photographers: each camera's photos by the track of who held it
        metatag geotag --from-photos ~/phone camera/
            the phone's photos of those minutes know where it was
        metatag geotag --track day.gpx --explain --dry-run *.JPG
            what each photo's place would rest on: points, distances, time zone;
            with --json in 'match'
        metatag geotag --track day.gpx --max-accuracy 50m --overwrite if-better *.JPG
            only good points, and only where they are better than what is there
        metatag geotag --at 35.0116,135.7681 *.JPG
        metatag geotag --place Kyoto *.JPG
        metatag geotag --place "Springfield, Illinois" *.JPG
        metatag geotag --place @home *.JPG
        metatag geotag --place "$(metatag place pick)" *.JPG
            all of them in one place: named, pinned, or chosen
        metatag geotag --place Japan *.JPG
            a country or region: only its names are written
        metatag geotag --track day.gpx --names *.JPG
            and write city, region and country, also of a place that is kept; see
            'metatag help name'
        metatag geotag --place Kyoto --names-only *.JPG
            write only the names of the place; positions stay as they are
        metatag geotag --track day.gpx --dry-run --recursive .
            only show what would change

      --place acts without asking on coordinates, a pin, a code in capitals (JFK), a
      name with its region or country, and the bare name of a place that has 100,000
      inhabitants and ten times those of the next place of that name. Any other name
      lists the places it may mean: on a terminal you choose one, otherwise nothing
      is changed.

      A photo that has a place keeps it, unless --overwrite replace is given; its
      files that have none get it (a Live Photo's movie, a raw file). With
      --overwrite if-better a place gives way only to one that is known to be more
      precise: both must say how far they may be off (GPSHPositioningError), or else
      both their dilution of precision (GPSDOP). A place of which nobody recorded
      that is not called worse, and stays. Where several tracks were recorded at
      once, a photo goes where the two points around its time stand closest
      together; the order of the tracks changes nothing. Tracks more than 500 m
      apart at the same time are named; where points are minutes apart, those
      farther apart than one can have gone meanwhile. Points at 0, 0 are left out:
      receivers write that without a fix; so a photo at 0, 0 has no place yet. One
      whose position can't be read is left alone, unless --overwrite replace is
      given.
      The first line of a CSV track names its columns: time (or date and time),
      latitude, longitude, 'altitude (m)', 'speed (km/h)'. Times need a zone: behind
      them (+02:00), or 'UTC time' as their heading. See TRACKS.md.
      Between segments of a track and outside it nothing is guessed, unless
      --across-segments or --nearest-within is given.
      This computer's time zone is never assumed: a photo that doesn't record its
      own is read by --camera-zone, else by the zone of the place where the track
      was when a clock there showed the photo's time, if there is only one, and
      unless another photo of the camera tells that its clock was in another zone:
      one that records it, or a place and the satellites' time. The offset that was
      found is recorded (OffsetTimeOriginal), unless --no-record-offset is given. A
      photo that is left says which option would place it, where one does. A movie
      that has a time in its headers only is read in UTC or by its camera's clock,
      where only one of these is between the photos numbered beside it, also if
      --camera-zone is given; other such movies need --camera-zone: Z where the
      headers are in UTC, as their standard has it, else the zone of the camera's
      clock. A time that clocks showed twice or never, or in two of the track's zones,
      is decided by the photos numbered before and after it, or left.

      --offset auto weighs every correction of up to 26 hours by what the photos
      record: the place and time of those that have them, and for all, that who
      takes photos mostly stands still. What is found is told for each camera, with
      its uncertainty, before it is used. Where two corrections could be right, the
      summary lists them with their likelihood, and the camera is read as without
      --offset auto; where the uncertainty means more than 100 m, that photo is left.

      Where another zone or correction would bring at least twice as many of a
      camera's photos inside the track (and at least five), the summary says so, and
      photos that an assumed zone places are left unless --trust-clock is given.
      --sync with an instant (...Z) needs no --camera-zone; with --fix-dates, photos
      then get the time of their place. With a place where the track stayed longer
      than --max-stay, it is refused with what it would mean. A clock that is known
      to more than a minute either way places photos, but gives them no GPS time, and
      --fix-dates leaves their dates; a --sync photo of a clock goes before any stay.
      A movie that doesn't name its camera is read by that camera's clock between
      whose photos, in the same folder, it is numbered.

      With --json or --jsonl each changed photo has a 'match': the 'instant' that
      was looked up; of the 'clock' its 'offset', the 'zone' that gave it and where
      that is 'from' (photo, camera-zone, place, sync, estimate, neighbours), and the
      'correction' in seconds; with --offset auto the 'estimate'; the 'method'
      (exact, between, nearest); and the 'fixes' with their time, place, and how far
      they are in 'seconds' and 'metres'. A photo that is left alone has a 'reason'.
      --json has 'cameras' at its end: each one's correction and zone, and the
      command that corrects its dates.
      """)

  @OptionGroup var reference: TrackOptions

  @Option(
    help: ArgumentHelp("The place's coordinates in WGS 84, or a pin.", valueName: "lat,lon"),
    transform: Location.argument)
  var at: Location?

  @Option(
    help: ArgumentHelp("The place's name, or a pin: @home; see 'metatag place search'.", valueName: "name"),
    transform: TextArgument.place)
  var place: TextArgument?

  @Flag(
    help: ArgumentHelp(
      "If --place names a country or region: write the center of its largest connected piece of land, or of all its "
        + "islands, as the location, and the distance to its farthest border as the error. (default: write only its "
        + "names)"))
  var areaCenter = false

  @Flag(help: "Don't remember the place of --place among the recent ones.")
  var noRecent = false

  @Option(help: "What to do with photos that have a place already.")
  var overwrite = Overwrite.keep

  @Flag(help: "Keep speed, course, precision and time of a replaced place's fix.")
  var keepCompanions = false

  @Flag(help: "Write the names of the place too: city, region, country.")
  var names = false

  @Flag(help: "Write only the names of the place of --place or --at, and no position.")
  var namesOnly = false

  @OptionGroup var oldNames: KeepNamesOption
  @OptionGroup var naming: NamingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  var relativeChange: RelativeChange? {
    reference.fixDates ? RelativeChange(option: "--fix-dates", resumption: .continuation) : nil
  }

  var heedsFinishedRuns: Bool { reference.correctsClocks }

  func validate() throws {
    let sources = [reference.isGiven, at != nil, place != nil].count { $0 }
    guard sources == 1 else {
      throw ValidationError("Give exactly one of --track (or --track-of), --from-photos, --at and --place.")
    }
    if overwrite == .ifBetter, !reference.isGiven {
      throw ValidationError("--overwrite if-better compares precisions: it is about --track and --from-photos.")
    }
    if naming.areGiven, !names, !namesOnly, place == nil {
      throw ValidationError("--language, --shown and --iptc require --names, --names-only or --place.")
    }
    if areaCenter, place == nil || namesOnly {
      throw ValidationError("--area-center requires --place, and can't be used with --names-only.")
    }
    if namesOnly, reference.isGiven { throw ValidationError("--names-only can only be used with --place or --at.") }
    if oldNames.keepNames, names || namesOnly {
      throw ValidationError("--keep-names can't be used with --names or --names-only, which write new ones.")
    }
  }

  func run() async throws {
    let console = Console()
    let files = try input.files(console: console, separately: edit.separately)
    let named = try namedPlace(console)
    let isArea = named?.isArea ?? false
    if namesOnly || isArea && !areaCenter {
      let planner = try givenNames(of: named, console)
      return try await write(to: await photos(of: files), on: console) { _ in planner }
    }
    let photos = await photos(of: files)
    let done = edit.despiteRun.isEmpty ? DoneBefore() : try doneBefore(among: photos, console: console)
    let location = reference.isGiven ? nil : try location(named, console)
    let place = try await placePlanner(location, console, files.inputs, done)
    let owners = place as? PerCameraPlanner
    let cameras = owners.map { owners in
      CameraSummary(
        DateFixCommand(Argv.typed, input, separately: edit.separately), isTrial: edit.isTrial,
        CameraDiagnosis(owners, isLearned: reference.learnsFirst), movies: owners.movies)
    }
    let planner = try withNames(place, of: named, at: location, console)
    let special = try owners.map { try specialPlanners(for: photos, $0, console) } ?? [:]
    try await write(to: photos, on: console, cameras: cameras) { special[$0.input.path] ?? planner }
  }

  /// The planners of photos whose dates a run moved before, or which one placed, and of movies that don't name their
  /// camera.
  private func specialPlanners(
    for photos: [Photo], _ owners: PerCameraPlanner, _ console: Console
  ) throws -> [FilePath: any Planner] {
    struct Kind: Hashable {
      // Each is read as its own neighbours tell.
      let movie: FilePath?
      let run: RunID?
      let isPlaced: Bool
    }
    let dated =
      reference.correctsClocks
      ? try DatedPhotos(among: photos, despite: edit.despiteRun, isTrial: edit.isTrial, console: console)
      : DatedPhotos()
    let isPlacingAnew = reference.correctsClocks && !reference.fixDates && overwrite != .keep
    let placed = isPlacingAnew ? try PlacedPhotos(among: photos) : PlacedPhotos()
    var (ofKind, special): ([Kind: any Planner], [FilePath: any Planner]) = ([:], [:])
    for photo in photos {
      let path = photo.input.path
      let kind = Kind(
        movie: owners.movies[path].map { _ in path }, run: dated.run(of: path),
        isPlaced: placed.clock(of: photo) != nil)
      guard kind.movie != nil || kind.run != nil || kind.isPlaced else { continue }
      let own = owners.planner(of: path, datedBy: kind.run, isPlaced: kind.isPlaced)
      let planner = try ofKind[kind] ?? withNames(own, of: nil, at: nil, console)
      (ofKind[kind], special[path]) = (planner, planner)
    }
    return special
  }

  /// The planner of positions, and of the names that go with them. At the position of a place that was named, only its
  /// own names are true: not those of a part of it where that position happens to be.
  private func withNames(
    _ positions: any Planner, of place: Place?, at position: Location?, _ console: Console
  ) throws -> any Planner {
    guard names else {
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

  /// The place that --place names; nil for coordinates with an altitude, which need no gazetteer.
  private func namedPlace(_ console: Console) throws -> Place? {
    guard let place, Location.withAltitude(place.text) == nil else { return nil }
    let index = try Gazetteer.opened(console: console)
    try index.require(language: naming.language?.text)
    let found = try index.onePlace(place.text, language: naming.language?.text, console: console)
    if areaCenter, !found.isArea {
      throw SetupError("--area-center is for countries and regions; \(found.line) is a place with a position.")
    }
    if found.isArea, !areaCenter, !namesOnly {
      console.warn("Only its names are written. To write its center as the location too, add --area-center.")
    }
    if !noRecent, !edit.isTrial { UserPlaces.remember(found, console: console) }
    return found
  }

  /// Writes only the names of the place.
  private func givenNames(of place: Place?, _ console: Console) throws -> GivenNamesPlanner {
    let namer = try namer(console)
    let found: PlaceNamer.Names
    if let place {
      found = try namer.names(of: place)
    } else {
      found = try namer.names(of: try location(nil, console))
    }
    let named = NamedPlace(found)
    guard !named.names.isEmpty else { throw SetupError("no name is known of that place") }
    var planner = GivenNamesPlanner(named)
    planner.overwrite = overwrite
    planner.keepsLocated = !namesOnly
    planner.elsewhere = try place.map { namer.elsewhere(than: $0) } ?? namer.elsewhere(than: location(nil, console))
    (planner.namesPlaceShown, planner.addsIPTC) = (naming.shown, naming.iptc)
    return planner
  }

  private func placePlanner(
    _ location: Location?, _ console: Console, _ inputs: [Walk.Input], _ done: DoneBefore
  ) async throws -> any Planner {
    if let location {
      if edit.plan != nil, location.coordinate.isNoFix {
        throw SetupError("0, 0 is what devices write without a fix, which 'apply' would refuse: leave out --plan")
      }
      var planner = PlacePlanner(location)
      planner.overwrite = overwrite
      planner.keepsCompanions = keepCompanions
      return planner
    }
    var planner = try await reference.planner(console, jobs: edit.work.count, done)
    for index in planner.parts.indices {
      planner.parts[index].planner.overwrite = overwrite
      planner.parts[index].planner.keepsCompanions = keepCompanions
    }
    try await reference.learn(from: inputs, &planner, console, jobs: edit.work.count, done)
    return planner
  }

  private func location(_ named: Place?, _ console: Console) throws -> Location {
    if let at = at ?? place.flatMap({ Location.withAltitude($0.text) }) { return at }
    guard let named else { throw SetupError("no place is given") }
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
