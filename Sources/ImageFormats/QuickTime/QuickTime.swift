/// The QuickTime metadata (Apple's QTFF; ISO/IEC 14496-12; 3GPP TS 26.244) of a movie, decoded.
///
/// The capture time is the keys' text `creationdate`, with its offset; otherwise the text `©day`; only without any such
/// date, the movie header. The header is UTC by the standard, but local time in many cameras, and the time of writing
/// in phones. It counts as UTC only for writers known to follow the standard (Apple, Android); otherwise as the time of
/// a clock in an unknown time zone.
package struct QuickTime {
  package enum Key {
    package static let location = "com.apple.quicktime.location.ISO6709"
    package static let accuracy = "com.apple.quicktime.location.accuracy.horizontal"
    static let locationDate = "com.apple.quicktime.location.date"
    package static let date = "com.apple.quicktime.creationdate"
    /// FFmpeg's copy of the movie header's time (`creation_time`, `creation_time-eng`), in what it takes for UTC.
    package static let headerTime = "creation_time"
    package static let make = "com.apple.quicktime.make"
    package static let model = "com.apple.quicktime.model"
    static let androidMake = "com.android.manufacturer"
    static let androidModel = "com.android.model"
    /// The prefix of all keys that describe the place.
    static let locationPrefix = "com.apple.quicktime.location."
    /// The prefix of FFmpeg's positions (`location`, `location-eng`) when it keeps all tags under its own names.
    static let plainLocation = "location"
    /// The prefix of keys from Android's recorder.
    static let androidPrefix = "com.android."
  }

  enum UserData {
    static let location = "©xyz"
    static let location3GPP = "loci"
    static let date = "©day"
    /// A date in plain text, as Apple's Photos and ExifTool write it.
    static let plainDate = "date"
    static let make = ["©mak", "manu", "@mak"]
    static let model = ["©mod", "modl", "@mod"]
  }

  package let data: QuickTimeData
  let source: any ByteSource

  /// The limit of a text to decode.
  private static let longestText = 65_536

  package init(_ data: QuickTimeData, _ source: any ByteSource) {
    self.data = data
    self.source = source
  }

  package func source(_ range: Range<Int>) throws(FileError) -> [UInt8] { try source.bytes(range).array }

  package func bytes(of item: QuickTimeItem) -> Bytes? {
    item.value.count <= QuickTime.longestText ? try? source.bytes(item.value) : nil
  }

  /// Returns a text without surrounding blanks and NULs; nil when nothing is left.
  package func text(of item: QuickTimeItem) -> String? {
    guard let bytes = bytes(of: item)?.array, let first = bytes.firstIndex(where: { $0 > 0x20 }),
      let last = bytes.lastIndex(where: { $0 > 0x20 })
    else { return nil }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// Returns the movie's own values of this name.
  package func items(_ name: QuickTimeItem.Name) -> [QuickTimeItem] {
    data.items.filter { $0.isMovie && $0.name == name }
  }

  package func text(_ name: QuickTimeItem.Name) -> String? { items(name).lazy.compactMap { text(of: $0) }.first }

  /// The movie's dates in text form, the preferred one first.
  package var dates: [QuickTimeItem] {
    items(.key(Key.date)) + items(.userData(UserData.date)) + items(.itemList(UserData.date))
      + items(.userData(UserData.plainDate))
  }

  /// Texts that only repeat the movie header.
  var headerTexts: [QuickTimeItem] {
    data.items.filter { item in
      guard case .key(let key) = item.name else { return false }
      return key == Key.headerTime || key.hasPrefix(Key.headerTime + "-")
    }
  }

  // MARK: Headers

  /// The seconds from 1904-01-01T00:00:00, the beginning of QuickTime's time, to 1970.
  package static let epoch: Int64 = 2_082_844_800

  /// Returns the time in a header's field, in seconds since 1970; nil for 0, which means unset, and for times before
  /// 1970, when there were no such movies.
  package func seconds(_ field: Range<Int>) -> Int64? {
    guard let seconds = value(field).flatMap(Int64.init(exactly:)), seconds >= QuickTime.epoch else { return nil }
    return seconds - QuickTime.epoch
  }

  private func value(_ field: Range<Int>) -> UInt64? {
    guard let bytes = try? source.bytes(field) else { return nil }
    return field.count == 8 ? (try? bytes.u64(0, .big)) : (try? bytes.u32(0, .big)).map(UInt64.init)
  }

  /// Returns the splice that puts a time into a header's field; nil when it is there already.
  package func splice(_ field: Range<Int>, _ seconds: Int64) throws(FileError) -> Splice? {
    let (value, overflow) = seconds.addingReportingOverflow(QuickTime.epoch)
    guard overflow || self.value(field).map({ $0 == UInt64(exactly: value) }) != true else { return nil }
    let bytes = field.count == 8 ? UInt64(exactly: value)?.bytes(.big) : UInt32(exactly: value)?.bytes(.big)
    guard !overflow, value > 0, let bytes else {
      throw FileError(
        .dateOutOfRange, "a date would be outside the range of movie headers (1904 to 2040)",
        at: field.lowerBound)
    }
    return Splice(field, bytes)
  }

  /// Whether the headers are known to be in UTC.
  var keepsUTC: Bool {
    text(.key(Key.make)) == "Apple"
      || data.items.contains { if case .key(let key) = $0.name { key.hasPrefix(Key.androidPrefix) } else { false } }
  }

  /// The movie header's time.
  package var headerTime: CaptureTime? {
    guard let field = data.headers.first?.creation, let seconds = seconds(field),
      let civil = CivilTime(secondsSince1970: seconds)
    else { return nil }
    return CaptureTime(civil, offset: keepsUTC ? .utc : nil)
  }
}

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
    if let track = data.unerasable {
      metadata.notes.append(Note(.unreadTelemetry, "has \(track), whose positions are not read or edited"))
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
