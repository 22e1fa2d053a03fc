/// A function that returns the time zone of a place; nil if it isn't known.
public typealias TrackZone = (Coordinate) -> Zone?

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

  /// The first byte that is no blank.
  var firstInk: UInt8? { first { $0 != 0x20 && !(0x09...0x0D).contains($0) } }
}
