/// Answers queries about the points of one sixteenth of a degree; shared data is looked up once. The answers equal
/// those of `Geography.answer`.
struct CellCache {
  private var cell = Atlas.Cell()
  private var part = Sphere.Part()
  /// The range of the towns in the grid's lists.
  private var candidates = 0..<0
  /// The candidates of one country, to which most points belong.
  private var contenders = CandidateTowns()

  /// - Parameter point: Any point of the sixteenth.
  mutating func move(to point: Lattice, in geography: Geography) {
    cell.move(to: point, in: geography.atlas)
    part = geography.sphere.part(around: point)
    candidates = geography.towns.candidates(in: geography.towns.grid.list(of: point))
    contenders.country = .none
  }

  /// - Parameter point: A point of the sixteenth that was moved to.
  mutating func answer(_ point: Lattice, in geography: Geography) -> PositionInfo.Answer {
    let spot = cell.spot(point, in: geography.atlas)
    let here = Sphere.vector(point, in: part)
    if spot.country == .none {
      return PositionInfo.Answer(
        found: geography.towns.nearest(of: candidates, to: here, country: .none), spot: spot)
    }
    if spot.country != contenders.country {
      contenders.fill(from: geography.towns, candidates, country: spot.country)
    }
    return PositionInfo.Answer(found: contenders.nearest(to: here), spot: spot)
  }
}
