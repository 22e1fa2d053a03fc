import Glibc

/// How coarse a place is made: the height and width of a grid's cells.
public struct Coarseness: Hashable, Sendable {
  /// Finer than a metre is exact, and with more than this no hemisphere would be left.
  public static let range: ClosedRange<Double> = 1...5_000_000

  /// In metres.
  public let metres: Double

  /// Nil beyond `range`, and for what is no number: the exact place would stay, or be said to be anywhere.
  public init?(metres: Double) {
    guard Coarseness.range.contains(metres) else { return nil }
    self.metres = metres
  }
}

extension Coordinate {
  /// The middle of the cell in which this position lies, in a grid of cells about so high and wide. All positions
  /// of a cell become the same one, and that stays what it is.
  package func coarsened(to coarseness: Coarseness) -> Coordinate {
    let step = min(coarseness.metres / (Coordinate.meanRadius * .pi / 180), 180)
    let north = min(max(((latitude / step).rounded(.down) + 0.5) * step, -90), 90)
    // As many cells as divide the circle of latitude evenly, so that none is cut at the antimeridian.
    let cells = max((360 * cos(north * .pi / 180) / step).rounded(.down), 1)
    let east = min(((longitude + 180) / 360 * cells).rounded(.down), cells - 1)
    return Coordinate(latitude: north, longitude: (east + 0.5) / cells * 360 - 180) ?? self
  }
}
