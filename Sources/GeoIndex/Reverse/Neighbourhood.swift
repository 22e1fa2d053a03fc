/// Answers what is asked about points that follow each other along the cells: what all points of a sixteenth of a degree
/// have in common is looked up once. The answers are those of `Geography.answer`.
struct Neighbourhood {
  private var last = Lattice(x: -1, y: -1)
  private var cell = Atlas.Cell()
  /// Where in the grid's lists the towns stand.
  private var candidates = 0..<0
  /// Those of one country, which most points have.
  private var contenders = Contenders()

  mutating func answer(_ point: Point, in geography: Geography) -> Whereabouts.Answer {
    let here = Lattice(point)
    if !here.isBeside(last) {
      cell = geography.atlas.cell(of: here)
      candidates = geography.towns.candidates(in: geography.towns.grid.list(of: here))
      contenders.country = .none
      last = here
    }
    let spot = geography.atlas.spot(here, in: cell)
    if spot.country == .none {
      return Whereabouts.Answer(
        found: geography.towns.nearest(of: candidates, to: point, country: .none), spot: spot)
    }
    if spot.country != contenders.country {
      contenders.fill(from: geography.towns, candidates, country: spot.country)
    }
    return Whereabouts.Answer(found: contenders.nearest(to: point), spot: spot)
  }
}
