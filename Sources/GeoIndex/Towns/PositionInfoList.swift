/// What is known of many positions, in the order in which they were asked about.
public struct WhereaboutsList: RandomAccessCollection, Sendable {
  private let geography: Geography
  private let positions: [(latitude: Double, longitude: Double)]
  private let answers: [PositionInfo.Answer]

  /// - Throws: `.badCoordinate` if one of the positions is not on Earth.
  init(_ positions: [(latitude: Double, longitude: Double)], in geography: Geography) throws(GeoIndexError) {
    self.geography = geography
    self.positions = positions
    answers = try geography.answers(positions)
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of positions.
  public var endIndex: Int { positions.count }

  /// What is known of one position.
  public subscript(position: Int) -> PositionInfo {
    let (point, answer) = (Point(turning: positions[position]), answers[position])
    return PositionInfo(latitude: point.latitude, longitude: point.longitude, geography: geography, answer: answer)
  }

  /// One after the other.
  public func makeIterator() -> Iterator { Iterator(list: self) }

  /// What is known of one position after the other.
  public struct Iterator: IteratorProtocol {
    private let list: WhereaboutsList
    private var position = 0

    fileprivate init(list: WhereaboutsList) { self.list = list }

    /// Nil after the last one.
    public mutating func next() -> PositionInfo? {
      guard position < list.endIndex else { return nil }
      defer { position += 1 }
      return list[position]
    }
  }
}
