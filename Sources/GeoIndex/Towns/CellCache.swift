/// Answers what is asked about the points of one sixteenth of a degree: what they have in common is looked up once. The
/// answers are those of `Geography.answer`.
struct CellCache {
  private var cell = Atlas.Cell()
  private var part = Sphere.Part()
  /// Where in the grid's lists the towns stand.
  private var candidates = 0..<0
  /// Those of one country, which most points have.
  private var contenders = CandidateTowns()

  /// - Parameter point: any of the sixteenth's.
  mutating func move(to point: Lattice, in geography: Geography) {
    cell.move(to: point, in: geography.atlas)
    part = geography.sphere.part(around: point)
    candidates = geography.towns.candidates(in: geography.towns.grid.list(of: point))
    contenders.country = .none
  }

  /// - Parameter point: of the sixteenth that was moved to.
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
