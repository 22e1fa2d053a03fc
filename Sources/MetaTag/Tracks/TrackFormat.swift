/// The time zone of a place; nil where it isn't known.
public typealias TrackZone = (Coordinate) -> Zone?

/// A format of track files.
protocol TrackFormat: Sendable {
  /// What users call it.
  var name: String { get }
  /// Whether a file that begins with `head` (UTF-8 where it is text) is of this format, told by content.
  func recognizes(_ head: [UInt8]) -> Bool
  /// Gives every point to `builder`, in the file's order.
  func read(_ input: TrackInput, into builder: inout TrackBuilder) throws(FileError)
}

/// Every track format this version knows. A new one is one file and one line here.
let trackFormats: [any TrackFormat] = [
  GPX(), KML(), TCX(), FIT(), IGC(), NMEA(), GoogleRecords(), GoogleSemantic(), GoogleTimeline(), OwnTracks(),
  GeoJSON(), CSVTrack(),
]

extension [UInt8] {
  /// Whether `text` stands somewhere in these bytes.
  func contains(_ text: StaticString) -> Bool {
    Bytes(self).firstIndex(of: Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))) != nil
  }

  /// The first byte that is no blank.
  var firstInk: UInt8? { first { $0 != 0x20 && !(0x09...0x0D).contains($0) } }
}
