import Basics

/// The places with an extent, found by a position in them.
struct Extents: Sendable {
  /// Those that touch each square degree, the smallest first.
  private let cells: [[Place]]

  init(_ places: [Place]) {
    var cells = [[Place]](repeating: [], count: Self.rows * Self.columns)
    for place in places.sorted(by: { ($0.radius ?? 0, $0.id) < ($1.radius ?? 0, $1.id) }) {
      for box in Box.around(place.coordinate, radius: place.radius ?? 0) {
        for row in Self.row(box.south)...Self.row(box.north) {
          for column in Self.column(box.west)...Self.column(box.east) {
            cells[row * Self.columns + column].append(place)
          }
        }
      }
    }
    self.cells = cells
  }

  /// Returns the places whose circle contains a point, the smallest first.
  func containing(_ point: Coordinate) -> [Place] {
    let (row, column) = (Self.row(Int(point.latitude * 1e5)), Self.column(Int(point.longitude * 1e5)))
    return cells[row * Self.columns + column].filter { place in
      place.coordinate.haversineDistance(to: point) <= place.radius ?? 0
    }
  }

  private static let (rows, columns) = (180, 360)
  private static func row(_ latitude: Int) -> Int { min(rows - 1, max(0, (latitude + 9_000_000) / 100_000)) }
  private static func column(_ longitude: Int) -> Int { min(columns - 1, max(0, (longitude + 18_000_000) / 100_000)) }
}
