/// What a table says of one photo. What is nil isn't said.
public struct TableEntry: Hashable, Sendable {
  /// The line in which its row begins, counted from 1.
  public let line: Int
  /// Where the photo was taken.
  public var coordinate: Coordinate?
  /// Metres above mean sea level.
  public var altitude: Double?
  /// Where the camera pointed.
  public var direction: Direction?
  /// When the photo was taken.
  public var time: CaptureTime?
  /// The year, month or day when it was taken, where no more is known.
  public var partialDate: PartialDate?

  init(line: Int) { self.line = line }

  /// Whether two rows say the same.
  func says(asMuchAs other: TableEntry) -> Bool {
    coordinate == other.coordinate && altitude == other.altitude && direction == other.direction && time == other.time
      && partialDate == other.partialDate
  }
}
