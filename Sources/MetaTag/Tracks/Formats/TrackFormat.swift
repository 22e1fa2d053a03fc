/// A format of track files.
protocol TrackFormat: Sendable {
  /// The format's common name.
  var name: String { get }
  /// Returns whether a file that begins with `head` (UTF-8 if it is text) has this format, judged by its content.
  func recognizes(_ head: [UInt8]) -> Bool
  /// Reads the file and passes every point to `builder`, in the file's order.
  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError)
}

/// All supported track formats. A new one is one file and one line here.
let trackFormats: [any TrackFormat] = [
  GPX(), KML(), TCX(), FIT(), IGC(), NMEA(), GoogleRecords(), GoogleSemantic(), GoogleTimeline(), OwnTracks(),
  GeoJSON(), CSVTrack(),
]

extension [UInt8] {
  /// Whether `text` occurs in these bytes.
  func contains(_ text: StaticString) -> Bool {
    Bytes(self).firstIndex(of: Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))) != nil
  }

  /// The first byte that is not a blank.
  var firstInk: UInt8? { first { $0 != 0x20 && !(0x09...0x0D).contains($0) } }
}

/// A track format in JSON: a list of elements at the root or in members of it, or the root itself, or one root per
/// line.
protocol JSONTrackFormat: TrackFormat {
  /// The members of the root that are lists of elements.
  var lists: [StaticString] { get }
  /// Passes the points of one element to `builder`; other elements are skipped.
  func take(_ element: JSONValue, into builder: inout TrackBuilder)
}

extension JSONTrackFormat {
  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var json = JSONReader(input)
    do throws(FileError) {
      while let first = try json.peek() {
        switch first {
        case UInt8(ascii: "["): try takeList(&json, into: &builder)
        case UInt8(ascii: "{"): try takeRoot(&json, into: &builder)
        default:
          throw FileError(.malformed, "invalid JSON: expected an object or an array", at: json.position)
        }
      }
    } catch {
      guard error.kind == .truncated, !builder.isEmpty else { throw error }
      builder.noteEnd(at: json.position)
    }
  }

  private func takeList(_ json: inout JSONReader, into builder: inout TrackBuilder) throws(FileError) {
    try json.elements { (json) throws(FileError) in take(try json.value(), into: &builder) }
    builder.endSegment()
  }

  private func takeRoot(_ json: inout JSONReader, into builder: inout TrackBuilder) throws(FileError) {
    var others: [JSONValue.Member] = []
    try json.members { (name, json) throws(FileError) in
      if lists.contains(where: { name.elementsEqual($0) }), try json.peek() == UInt8(ascii: "[") {
        try takeList(&json, into: &builder)
      } else {
        others.append(.init(name: name, value: try json.value()))
      }
    }
    take(.object(others), into: &builder)
  }

  /// Whether a file that begins with `head` can be JSON.
  func isJSON(_ head: [UInt8]) -> Bool { head.firstInk == UInt8(ascii: "{") || head.firstInk == UInt8(ascii: "[") }
}

extension PointDraft {
  /// Takes a time as text (XML Schema), or as a POSIX time.
  mutating func take(time value: JSONValue?) {
    switch value {
    case .string(let text):
      if let number = PlainText.number(text[...]) {
        take(epoch: number)
      } else {
        take(time: text, 0..<text.count)
      }
    default: if let number = value?.number { take(epoch: number) }
    }
  }
}

/// The data of a point while it is read; formats have them in different orders.
struct PointDraft {
  /// The meaning of a time without a time zone.
  enum MissingZone {
    /// UTC, prescribed by the format; such times are counted.
    case isUTC
    /// UTC, since the file says so elsewhere.
    case isSaidUTC
    /// Unknown: the point can't be used.
    case isRejected
  }

  var latitude, longitude: Double?
  var altitude, speed, course, dilution, accuracy: Double?
  var instant: Instant?
  var rejection: TrackSource.Rejection?
  private var lacksZone = false

  init() {}

  /// The position, if there is one.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Takes an XML Schema time, as read by `PlainText.dateTime`.
  mutating func take(time bytes: [UInt8], _ range: Range<Int>, missingZone: MissingZone = .isRejected) {
    guard let (time, nanoseconds, offset) = PlainText.dateTime(bytes, range) else {
      rejection = .malformedTime
      return
    }
    if offset == nil, missingZone == .isRejected { rejection = .noZone }
    lacksZone = offset == nil && missingZone == .isUTC
    instant = Instant(seconds: time.secondsSince1970 - Int64(offset ?? 0), nanoseconds: nanoseconds)
  }

  /// Takes seconds, milliseconds or microseconds since 1970, distinguished by their size.
  mutating func take(epoch value: Double) {
    instant = Instant(epoch: value)
    if instant == nil { rejection = .malformedTime }
  }

  func finish(into builder: inout TrackBuilder) {
    guard let coordinate else {
      return builder.reject(rejection == .noFix ? .noFix : .noPosition)
    }
    guard let instant, rejection == nil else { return builder.reject(rejection ?? .noTime) }
    if lacksZone { builder.noteMissingZone() }
    builder.add(
      TrackPoint(
        instant, coordinate, altitude: altitude, speed: speed, course: course, dilutionOfPrecision: dilution,
        accuracy: accuracy))
  }
}

extension Instant {
  /// Converts a POSIX time in seconds, or in milliseconds or microseconds if the number is that large (from 1973 on);
  /// nil if it is in none of these ranges.
  init?(epoch value: Double) {
    guard let unit = [1, 1e3, 1e6].first(where: { (1e8..<1e11).contains(value / $0) }) else { return nil }
    let microseconds = Int64((value / unit * 1e6).rounded())
    self.init(seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
  }
}

/// Reading track files in XML.
enum TrackXML {
  /// Passes every token to `take`. If a logger loses power, its file may end inside a tag, or continue with old data of
  /// the disk. What was recorded before that is used.
  static func scan(
    _ input: InputWindow, into builder: inout TrackBuilder, _ take: (XMLScanner, inout TrackBuilder) -> Void
  ) throws(FileError) {
    var xml = XMLReader(input)
    do throws(FileError) {
      while try xml.next() { take(xml.scanner, &builder) }
    } catch {
      guard !builder.isEmpty else { throw error }
      if xml.endsHere(error) {
        builder.noteEnd(at: xml.scanner.base + xml.scanner.bytes.count)
      } else if error.kind == .malformed, let offset = error.offset {
        builder.note(.broken(at: offset, fixes: builder.count))
      } else {
        throw error
      }
    }
  }
}
