extension QuickTime {
  /// Inserts the movie's data before the data of its XMP packet in `metadata`.
  package func read(into metadata: inout Metadata) {
    metadata.captureTimes.insert(contentsOf: textTimes(&metadata.malformedDates), at: 0)
    if metadata.captureTimes.isEmpty, let time = headerTime {
      metadata.captureTimes = [Sourced(time, .quickTime, tag: "mvhd")]
    }
    metadata.movieOffset = data.offset
    metadata.locations.insert(contentsOf: locations, at: 0)
    for item in positions where location(of: item) == nil && holdsAnything(item) {
      let reason = "the position in the movie's \(item.name.tag) can't be read"
      metadata.add(unreadPlace: reason, .quickTime, tag: item.name.tag, isWhole: true)
    }
    metadata.make = text(.key(Key.make)) ?? text(.key(Key.androidMake)) ?? firstText(UserData.make) ?? metadata.make
    metadata.model =
      text(.key(Key.model)) ?? text(.key(Key.androidModel)) ?? firstText(UserData.model) ?? metadata.model
    if let telemetry = data.telemetry {
      metadata.notes.append(Note(.unreadTelemetry, "has \(telemetry), whose positions are not read or edited"))
    } else if let track = data.timedPlaces.first {
      metadata.notes.append(
        Note(.unreadTelemetry, "contains \(track), which can only be removed as a whole", remedy: .dropTimedMetadata))
    }
    if let places = data.places {
      metadata.notes.append(Note(.unreadTelemetry, "has \(places), whose positions are not read, only erased"))
    }
  }

  private func firstText(_ names: [String]) -> String? { names.lazy.compactMap { text(.userData($0)) }.first }

  private func textTimes(_ malformed: inout [Sourced<String>]) -> [Sourced<CaptureTime>] {
    var times: [Sourced<CaptureTime>] = []
    for item in dates {
      guard let text = text(of: item) else { continue }
      switch XMPDate(text) {
      case .blank, .partial: break
      case .time(let time, _): times.append(Sourced(time, .quickTime, tag: item.name.tag))
      case .malformed: malformed.append(Sourced(text, .quickTime, tag: item.name.tag))
      }
    }
    return times
  }

  /// All values that hold a position, in order of preference: the movie's before its tracks'.
  package var positions: [QuickTimeItem] {
    let names: [QuickTimeItem.Name] = [
      .key(Key.location), .userData(UserData.location), .itemList(UserData.location),
      .userData(UserData.location3GPP),
    ]
    // A key named only `location` may hold anything.
    let plain = data.items.filter { $0.name.isPlainLocation && location(of: $0) != nil }
    return [true, false].flatMap { isMovie in
      names.flatMap { name in data.items.filter { $0.isMovie == isMovie && $0.name == name } }
        + plain.filter { $0.isMovie == isMovie }
    }
  }

  private var locations: [Sourced<Location>] {
    positions.compactMap { item in
      guard var location = location(of: item) else { return nil }
      if case .key = item.name, location.horizontalError == nil { location.horizontalError = accuracy }
      return Sourced(location, .quickTime, tag: item.name.tag)
    }
  }

  /// Whether a value isn't blank. A value that is too long to be read counts as not blank.
  private func holdsAnything(_ item: QuickTimeItem) -> Bool {
    bytes(of: item)?.array.contains { $0 != 0 && $0 != 0x20 } ?? true
  }

  /// The radius of uncertainty in metres, which Apple records next to the position.
  package var accuracy: Double? {
    text(.key(Key.accuracy)).flatMap { Double(plainDecimal: $0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  package func location(of item: QuickTimeItem) -> Location? {
    if item.name == .userData(UserData.location3GPP) { return bytes(of: item).flatMap(Loci.init)?.location }
    return text(of: item).flatMap { Location(movieText: $0) }
  }
}

extension QuickTimeItem.Name {
  /// Whether the name is FFmpeg's key for a position, possibly with a language.
  var isPlainLocation: Bool {
    guard case .key(let key) = self else { return false }
    return key == QuickTime.Key.plainLocation || key.hasPrefix(QuickTime.Key.plainLocation + "-")
  }

  /// The name in its standard.
  var tag: String {
    switch self {
    case .key(let name), .userData(let name), .itemList(let name): name
    }
  }
}

extension Location {
  /// Reads ISO 6709 in the form of movies; returns nil for anything else.
  package init?(movieText text: String) {
    guard text.hasPrefix("+") || text.hasPrefix("-"), let location = try? Location(recorded: text) else { return nil }
    self = location
  }
}
