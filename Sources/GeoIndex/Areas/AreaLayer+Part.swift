extension AreaLayer {
  /// The areas at the points of one sixteenth of a degree. Only lines near it are considered: a point has the areas of
  /// the middle, and enters or leaves those of each line on the way from there.
  struct Part {
    /// A piece of a line, in half steps of the layer from the south-west corner of the cell.
    private struct Piece {
      let ax, ay, bx, by: Int32
      /// Bits of the areas on its two sides.
      let sides: UInt64
    }

    private var record = 0
    private var pieces: [Piece] = []
    /// The middle, in the same half steps.
    private var middle = (x: 0, y: 0)
    /// Bits of the areas that contain the middle.
    private var inside: UInt64 = 0
    /// The last result: neighbours usually lie in the same areas.
    private var last = (inside: UInt64(0), areas: AreaSet())

    /// Whether all points lie in the same areas, because no line is near.
    var isWhole: Bool { pieces.isEmpty }

    /// - Parameter point: Any point of the sixteenth.
    mutating func move(to point: Lattice, in layer: AreaLayer) {
      record = layer.record(at: point)
      let (first, opposite) = point.sixteenth
      let low = (x: (first.x >> layer.shift) % Lattice.step, y: (first.y >> layer.shift) % Lattice.step)
      let high = (x: (opposite.x >> layer.shift) % Lattice.step + 1, y: (opposite.y >> layer.shift) % Lattice.step + 1)
      pieces.removeAll(keepingCapacity: true)
      layer.words.withUnsafeBufferPointer { words in
        /// Returns a bit for each side of the square beyond which a corner of a line lies.
        func sides(_ x: Int, _ y: Int) -> Int {
          (x < low.x ? 1 : 0) | (x > high.x ? 2 : 0) | (y < low.y ? 4 : 0) | (y > high.y ? 8 : 0)
        }
        var at = record + 1 + Int(words[record] & 0xFF)
        let lines = words[at]
        at += 1
        for _ in 0..<lines {
          let (pair, end) = (words[at], at + 2 + 2 * Int(words[at + 1]))
          at += 2
          var before: (x: Int, y: Int, beyond: Int)?
          while at < end {
            let (bx, by) = (Int(words[at]), Int(words[at + 1]))
            let beyond = sides(bx, by)
            // If two corners are beyond the same side of the square, so is the line between them.
            if let (ax, ay, side) = before, side & beyond == 0 {
              pieces.append(
                Piece(
                  ax: Int32(2 * ax), ay: Int32(2 * ay), bx: Int32(2 * bx), by: Int32(2 * by),
                  sides: AreaLayer.sides(pair)))
            }
            before = (bx, by, beyond)
            at += 2
          }
        }
      }
      let centre = Lattice(
        x: ((first.x + opposite.x) / 2) >> layer.shift, y: ((first.y + opposite.y) / 2) >> layer.shift)
      middle = (centre.x % Lattice.step * 2 + 1, centre.y % Lattice.step * 2 + 1)
      inside = layer.inside(at: centre, record: record)
      last = (inside, layer.set(of: inside, record: record))
    }

    /// Returns the same result as the layer's `areas(at:)`.
    /// - Parameter point: A point of the sixteenth that was moved to.
    mutating func areas(at point: Lattice, in layer: AreaLayer) -> AreaSet {
      if pieces.isEmpty { return last.areas }
      let (px, py) = ((point.x >> layer.shift) % Lattice.step * 2 + 1, (point.y >> layer.shift) % Lattice.step * 2 + 1)
      let (cx, cy) = middle
      let (dx, dy) = (cx &- px, cy &- py)
      // As in `Lattice.crossings`.
      let way = dx &* py &- dy &* px
      var inside = inside
      pieces.withUnsafeBufferPointer { pieces in
        for piece in pieces {
          let (ax, ay, bx, by) = (Int(piece.ax), Int(piece.ay), Int(piece.bx), Int(piece.by))
          guard (dx &* ay &- dy &* ax > way) != (dx &* by &- dy &* bx > way) else { continue }
          let (ex, ey) = (bx &- ax, by &- ay)
          let here = ex &* (py &- ay) &- ey &* (px &- ax) > 0
          let there = ex &* (cy &- ay) &- ey &* (cx &- ax) > 0
          if here != there { inside ^= piece.sides }
        }
      }
      if inside != last.inside { last = (inside, layer.set(of: inside, record: record)) }
      return last.areas
    }
  }
}
