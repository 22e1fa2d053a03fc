/// What a table says of one photo. What is nil isn't said.
package struct TableEntry: Hashable, Sendable {
  /// The line in which its row begins, counted from 1.
  package let line: Int
  /// Where the photo was taken.
  package var coordinate: Coordinate?
  /// Metres above mean sea level.
  package var altitude: Double?
  /// Where the camera pointed.
  package var direction: Direction?
  /// When the photo was taken.
  package var time: CaptureTime?
  /// The year, month or day when it was taken, where no more is known.
  package var partialDate: PartialDate?

  init(line: Int) { self.line = line }

  /// Whether two rows say the same.
  func says(asMuchAs other: TableEntry) -> Bool {
    coordinate == other.coordinate && altitude == other.altitude && direction == other.direction && time == other.time
      && partialDate == other.partialDate
  }
}
