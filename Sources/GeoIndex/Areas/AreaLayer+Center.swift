import Basics
import Foundation

/// The center of areas, and their outlines.
extension AreaLayer {
  /// Returns the center of several areas together, computed from sample points in them; nil if no sample point lies in
  /// them.
  /// - Parameter isPart: Whether a point in the areas counts.
  func center(of wanted: Set<UInt16>, where isPart: (Lattice) -> Bool = { _ in true }) -> Coordinate? {
    let samples = Samples(of: wanted, in: self, where: isPart)
    guard let mean = samples.mean else { return nil }
    let isInside = has(Lattice(mean), in: wanted) && isPart(Lattice(mean))
    return isInside ? mean : samples.nearest(to: mean)
  }

  /// Whether a point lies in one of the areas `wanted`.
  func has(_ point: Lattice, in wanted: Set<UInt16>) -> Bool {
    areas(at: point).all.contains { wanted.contains(UInt16($0)) }
  }

  /// Evenly spaced points that lie in given areas.
  private struct Samples {
    /// The approximate number of points that are tested.
    private static let count = 100_000

    /// The number of rows and columns of points around the world.
    private let rows, columns: Int
    /// The points in order, row by row: row * columns + column.
    private var points: [Int] = []

    init(of wanted: Set<UInt16>, in layer: AreaLayer, where isPart: (Lattice) -> Bool) {
      let width = Lattice.columns >> layer.shift
      let cells = layer.cells(of: wanted)
      let side = max(2, Int((Double(Self.count) / Double(max(cells.count, 1))).squareRoot()))
      (rows, columns) = ((Lattice.rows >> layer.shift) * side, width * side)
      for cell in cells {
        for step in 0..<side * side {
          let (row, column) = (cell / width * side + step / side, cell % width * side + step % side)
          let point = Lattice(place(row: row, column: column))
          if layer.has(point, in: wanted), isPart(point) { points.append(row * columns + column) }
        }
      }
      points.sort()
    }

    private func place(row: Int, column: Int) -> Coordinate {
      Coordinate(
        clampingLatitude: (Double(row) + 0.5) * 180 / Double(rows) - 90,
        longitude: (Double(column) + 0.5) * 360 / Double(columns) - 180)
    }

    private func place(_ point: Int) -> Coordinate { place(row: point / columns, column: point % columns) }

    /// The mean of the points on the sphere, weighted by the area that each of them represents.
    var mean: Coordinate? {
      let mainland = largestPiece()
      let counted = weight(mainland) * 3 >= weight(points) * 2 ? mainland : points
      var (x, y, z) = (0.0, 0.0, 0.0)
      for point in counted {
        let place = place(point)
        let (φ, λ) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        x += cos(φ) * cos(φ) * cos(λ)
        y += cos(φ) * cos(φ) * sin(λ)
        z += cos(φ) * sin(φ)
      }
      guard x != 0 || y != 0 || z != 0 else { return nil }
      return Coordinate(directionX: x, y: y, z: z)
    }

    func nearest(to center: Coordinate) -> Coordinate? {
      points.lazy.map(place).min { center.haversineDistance(to: $0) < center.haversineDistance(to: $1) }
    }

    private func weight(_ points: [Int]) -> Double {
      points.reduce(0) { $0 + cos(place($1).latitude * .pi / 180) }
    }

    /// Returns the points of the largest connected piece.
    private func largestPiece() -> [Int] {
      var (rest, largest, most) = (Set(points), [Int](), 0.0)
      for first in points where rest.remove(first) != nil {
        var (piece, next) = ([first], 0)
        while next < piece.count {
          let (row, column) = (piece[next] / columns, piece[next] % columns)
          next += 1
          for (up, right) in [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let beside = (row + up) * columns + (column + right + columns) % columns
            if rest.remove(beside) != nil { piece.append(beside) }
          }
        }
        let size = weight(piece)
        if size > most { (largest, most) = (piece, size) }
      }
      return largest
    }
  }

  /// Returns the cells that may partly lie in given areas.
  private func cells(of wanted: Set<UInt16>) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    return words.withUnsafeBufferPointer { words in
      cells.indices.filter { cell in
        let record = Int(cells[cell])
        return words[(record + 1)..<(record + 1 + Int(words[record] & 0xFF))].contains { wanted.contains($0) }
      }
    }
  }
}

extension AreaLayer {
  /// Calls `each` with the corners of all lines that have one of the areas on a side.
  func forEachCorner(of wanted: Set<UInt16>, _ each: (Coordinate) -> Void) {
    guard !wanted.isEmpty else { return }
    let (width, scale) = (Lattice.columns >> shift, Double(1 << shift) / 1e5)
    words.withUnsafeBufferPointer { words in
      for (cell, record) in cells.enumerated() {
        let first = Int(record) + 1
        let end = first + Int(words[Int(record)] & 0xFF)
        var bits: UInt64 = 0
        for at in first..<end where wanted.contains(words[at]) { bits |= 1 << UInt64(at - first) }
        guard bits != 0 else { continue }
        let (west, south) = (Double(cell % width * Lattice.step), Double(cell / width * Lattice.step))
        var at = end + 1
        for _ in 0..<words[end] {
          let next = at + 2 + 2 * Int(words[at + 1])
          if Self.sides(words[at]) & bits != 0 {
            for corner in stride(from: at + 2, to: next, by: 2) {
              let (x, y) = (west + Double(words[corner]), south + Double(words[corner + 1]))
              each(Coordinate(clampingLatitude: y * scale - 90, longitude: x * scale - 180))
            }
          }
          at = next
        }
      }
    }
  }
}
