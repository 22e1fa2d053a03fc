import ArgumentParser
import GeoIndex
import MetaTag

/// `metatag place pin`: saves a place under a name of one's own.
struct PlacePinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Save a place under a name of your own.",
    discussion: """
      EXAMPLES:
        metatag place pin home 31.2,121.4
        metatag place pin hotel Kyoto
        metatag place pin summit 47.4211,10.9863,2962

      You can use a pin wherever metatag takes a place or coordinates: --place
      @home, --at @home, --near @home, 'place search @home'. A pin with the same
      name is replaced, and metatag says so. A name that differs from an existing
      pin only in accents or punctuation is refused.
      """)

  @Argument(help: ArgumentHelp("Name of the pin.", valueName: "name"), transform: TextArgument.argument)
  var name: TextArgument

  @Argument(
    help: ArgumentHelp("Coordinates (WGS 84), or a place name.", valueName: "place"),
    transform: TextArgument.argument)
  var words: [TextArgument]

  func run() async throws {
    let console = Console()
    let index = try Gazetteer.opened(console: console)
    let text = words.map(\.text).joined(separator: " ")
    let position = Location.withAltitude(text) ?? (try? Location(parsing: text))
    let location = try position ?? index.onePoint(text, console: console)
    do {
      let own = try UserPlaces.opened()
      let former = try own.pin(named: name.text)
      let pin = try own.pin(
        name.text, latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        altitude: location.altitude, in: index)
      console.print("@\(pin.name.printable)  \(location.coordinate)  \(pin.line)")
      if let former, (former.latitude, former.longitude) != (pin.latitude, pin.longitude) {
        console.warn("replaces @\(former.name.printable) (\(former.latitude),\(former.longitude))")
      }
    } catch let error as GeoIndexError {
      throw SetupError(error.words.printable)
    }
    try console.finish()
  }
}

/// `metatag place pins`: lists the pins.
struct PlacePinsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pins",
    abstract: "List your pins.",
    discussion: """
      EXAMPLES:
        metatag place pins
        metatag place pins --json
      """)

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() async throws {
    let console = Console()
    console.list(
      try UserPlaces.ifAny()?.pins() ?? [], json: json,
      ifNone: "no pins yet; use 'metatag place pin NAME LAT,LON' to add one"
    ) { "@" + $0.name }
    try console.finish()
  }
}

/// `metatag place unpin`: removes a pin.
struct PlaceUnpinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin",
    abstract: "Remove a pin.",
    discussion: """
      EXAMPLES:
        metatag place unpin home
      """)

  @Argument(help: ArgumentHelp("Name of the pin.", valueName: "name"), transform: TextArgument.argument)
  var name: TextArgument

  func run() async throws {
    guard try UserPlaces.ifAny() != nil, try UserPlaces.opened().unpin(name.text) else {
      throw SetupError(Gazetteer.unknown("@" + name.text.drop { $0 == "@" }))
    }
  }
}

/// `metatag place recent`: lists or clears the recent places.
struct PlaceRecentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recent",
    abstract: "List or clear your recent places.",
    discussion: """
      EXAMPLES:
        metatag place recent
        metatag place recent --clear

      The last \(UserPlaces.mostRecents) places chosen with 'place pick' and 'geotag
      --place' are stored on this computer, without times; 'place pick' offers them.
      With --no-recent, a place isn't stored.
      """)

  @Flag(help: "Remove all recent places.")
  var clear = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() async throws {
    let console = Console()
    if clear {
      if try UserPlaces.ifAny() != nil { try UserPlaces.opened().forgetRecents() }
    } else {
      console.list(
        try UserPlaces.ifAny()?.recents() ?? [], json: json,
        ifNone: "no recent places; 'place pick' and 'geotag --place' add them", name: \.line)
    }
    try console.finish()
  }
}

extension Console {
  /// Prints places as a table or as a JSON document.
  /// - Parameter ifNone: The message if there are none.
  fileprivate func list(_ places: [Place], json: Bool, ifNone: String, name: (Place) -> String) {
    if json {
      var writer = JSONWriter(.pretty)
      writer.object { writer in
        writer.key("results")
        writer.array { writer in places.forEach { $0.write(to: &writer) } }
      }
      writer.endLine()
      write(writer.take())
    } else if places.isEmpty {
      warn(ifNone)
    } else {
      var table = Table([
        .init("NAME", .left, .atEnd(10)), .init("COUNTRY", .left, .atEnd(6)), .init("LATITUDE", .right),
        .init("LONGITUDE", .right),
      ])
      for place in places { table.add([name(place), place.country, "\(place.latitude)", "\(place.longitude)"]) }
      print(table)
    }
  }
}
