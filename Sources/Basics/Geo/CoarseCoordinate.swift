import Glibc

/// The precision to which a location is reduced: the height and width of a grid's cells.
public struct Coarseness: Hashable, Sendable {
  /// The allowed sizes: below a metre a location counts as exact, and above this a cell would exceed a hemisphere.
  public static let range: ClosedRange<Double> = 1...5_000_000

  /// The size in metres.
  public let metres: Double

  /// Returns nil outside `range` and for NaN, so that a location neither stays exact nor becomes meaningless.
  public init?(metres: Double) {
    guard Coarseness.range.contains(metres) else { return nil }
    self.metres = metres
  }
}

extension Coordinate {
  /// Returns the center of the cell that contains this position, in a grid of cells of about this height and width. All
  /// positions of a cell have the same center, and the center of a cell stays unchanged when it is coarsened again.
  package func coarsened(to coarseness: Coarseness) -> Coordinate {
    let step = min(coarseness.metres / (Coordinate.meanRadius * .pi / 180), 180)
    let north = min(max(((latitude / step).rounded(.down) + 0.5) * step, -90), 90)
    // A whole number of cells around the circle of latitude, so that none is cut at the antimeridian.
    let cells = max((360 * cos(north * .pi / 180) / step).rounded(.down), 1)
    let east = min(((longitude + 180) / 360 * cells).rounded(.down), cells - 1)
    return Coordinate(latitude: north, longitude: (east + 0.5) / cells * 360 - 180) ?? self
  }
}
