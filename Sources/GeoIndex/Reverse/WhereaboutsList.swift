/// What is known of many positions, in the order in which they were asked about.
public struct WhereaboutsList: RandomAccessCollection, Sendable {
  private let geography: Geography
  private let points: [Point]
  private let answers: [Whereabouts.Answer]

  init(_ points: [Point], in geography: Geography) {
    self.geography = geography
    self.points = points
    answers = geography.answers(points)
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of positions.
  public var endIndex: Int { points.count }

  /// What is known of one position.
  public subscript(position: Int) -> Whereabouts {
    let (point, answer) = (points[position], answers[position])
    return Whereabouts(latitude: point.latitude, longitude: point.longitude, geography: geography, answer: answer)
  }
}
