import Glibc

extension Coordinate {
  /// The middle of the cell in which this position lies, in a grid of cells about `metres` high and wide. All positions
  /// of a cell become the same one, and that stays what it is.
  public func coarsened(to metres: Double) -> Coordinate {
    let step = min(max(metres, 1) / (Coordinate.meanRadius * .pi / 180), 180)
    let north = min(max(((latitude / step).rounded(.down) + 0.5) * step, -90), 90)
    // As many cells as divide the circle of latitude evenly, so that none is cut at the antimeridian.
    let cells = max((360 * cos(north * .pi / 180) / step).rounded(.down), 1)
    let east = min(((longitude + 180) / 360 * cells).rounded(.down), cells - 1)
    return Coordinate(latitude: north, longitude: (east + 0.5) / cells * 360 - 180) ?? self
  }
}
