/// A table's values for one photo. Nil values aren't in the table.
package struct TableEntry: Hashable, Sendable {
  /// The number of the row's first line, counted from 1.
  package let line: Int
  /// The photo's position.
  package var coordinate: Coordinate?
  /// The altitude in metres above mean sea level.
  package var altitude: Double?
  /// The direction in which the camera pointed.
  package var direction: Direction?
  /// The time at which the photo was taken.
  package var time: CaptureTime?
  /// The year, month or day when it was taken, if no more is known.
  package var partialDate: PartialDate?

  init(line: Int) { self.line = line }

  /// Whether two rows have the same values.
  func says(asMuchAs other: TableEntry) -> Bool {
    coordinate == other.coordinate && altitude == other.altitude && direction == other.direction && time == other.time
      && partialDate == other.partialDate
  }
}
