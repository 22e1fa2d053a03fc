import Basics

/// The places at many positions, in the order of the query.
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

  /// The first index, 0.
  public var startIndex: Int { 0 }
  /// The number of positions.
  public var endIndex: Int { positions.count }

  /// The places at one position.
  public subscript(position: Int) -> PositionInfo {
    let (point, answer) = (Coordinate(turning: positions[position]), answers[position])
    return PositionInfo(latitude: point.latitude, longitude: point.longitude, geography: geography, answer: answer)
  }

  /// Returns an iterator over the positions.
  public func makeIterator() -> Iterator { Iterator(list: self) }

  /// An iterator over the places at each position.
  public struct Iterator: IteratorProtocol {
    private let list: WhereaboutsList
    private var position = 0

    fileprivate init(list: WhereaboutsList) { self.list = list }

    /// Returns the next element; nil after the last one.
    public mutating func next() -> PositionInfo? {
      guard position < list.endIndex else { return nil }
      defer { position += 1 }
      return list[position]
    }
  }
}
