import CSys
package import Foundation

/// Areas of the world, divided into cells of a quarter of a degree or a few of them, as written by Scripts/borders
/// (which describes the format).
///
/// A cell records the areas that contain its center and the lines that run through it. A point in the cell has the
/// areas of the center, and enters or leaves those of each line on the way from there. Only integers are used, so no
/// point lies in two areas that merely touch, and none falls between them.
package struct AreaLayer: Sendable {
  /// The fields of each area.
  let areas: [[String]]
  /// The word index at which each cell's record begins, row by row.
  let cells: [UInt32]
  /// The layer's step size: 2 to the power of this, in steps of the lattice.
  let shift: Int
  let words: [UInt16]

  /// Reads a layer.
  /// - Parameter bytes: A whole file. It is validated completely, so later reads need no checks.
  package init(_ bytes: Data) throws(GeoIndexError) {
    var reader = try BorderReader(bytes, magic: "MTAREAS1")
    let step = try reader.nextNumber()
    guard [1, 2, 4].contains(step) else { throw BorderReader.damaged }
    shift = step.trailingZeroBitCount
    let (runs, count, length) = (try reader.nextNumber(), try reader.nextNumber(), try reader.nextNumber())
    let rows: [UInt32] = try reader.next(Lattice.rows / step)
    let starts: [UInt32] = try reader.next(runs)
    let columns: [UInt16] = try reader.next(runs)
    words = try reader.next(count)
    areas = try reader.nextText(length).map { $0.split(separator: "\t").map(String.init) }
    cells = try Self.cells(rows: rows, starts: starts, columns: columns, width: Lattice.columns / step)
    for start in starts { try check(Int(start)) }
  }

  private static func cells(
    rows: [UInt32], starts: [UInt32], columns: [UInt16], width: Int
  ) throws(GeoIndexError) -> [UInt32] {
    var cells: [UInt32] = []
    cells.reserveLargePages(for: rows.count * width)
    for row in rows.indices {
      let end = row + 1 < rows.count ? Int(rows[row + 1]) : starts.count
      guard Int(rows[row]) < end, end <= starts.count, columns[Int(rows[row])] == 0 else { throw BorderReader.damaged }
      for run in Int(rows[row])..<end {
        let next = run + 1 < end ? Int(columns[run + 1]) : width
        guard columns[run] < next, next <= width else { throw BorderReader.damaged }
        cells.append(contentsOf: repeatElement(starts[run], count: next - Int(columns[run])))
      }
    }
    return cells
  }

  /// Throws if a record exceeds the words or refers to areas that don't exist.
  private func check(_ record: Int) throws(GeoIndexError) {
    guard record < words.count else { throw BorderReader.damaged }
    let (count, base) = (Int(words[record] & 0xFF), Int(words[record] >> 8))
    var at = record + 1 + count
    guard count < 64, base <= count, at < words.count,
      words[(record + 1)..<at].allSatisfy({ $0 < areas.count })
    else { throw BorderReader.damaged }
    let lines = words[at]
    at += 1
    for _ in 0..<lines {
      guard at + 2 <= words.count else { throw BorderReader.damaged }
      let (low, high) = (Int(words[at] & 0xFF), Int(words[at] >> 8))
      guard low < count, high < count || high == 0xFF else { throw BorderReader.damaged }
      at += 2 + 2 * Int(words[at + 1])
      guard at <= words.count else { throw BorderReader.damaged }
    }
  }

  /// Prefetches what `fetchRecord(at:)` will read.
  func fetchCell(at point: Lattice) {
    let cell = cell(of: Lattice(x: point.x >> shift, y: point.y >> shift))
    cells.withUnsafeBufferPointer { csys_prefetch($0.baseAddress.map { $0 + cell }) }
  }

  /// Prefetches what `areas(at:)` will read.
  func fetchRecord(at point: Lattice) {
    let record = record(at: point)
    words.withUnsafeBufferPointer { csys_prefetch($0.baseAddress.map { $0 + record }) }
  }

  /// Returns the word index at which the record of a point's cell begins.
  func record(at point: Lattice) -> Int {
    Int(cells[cell(of: Lattice(x: point.x >> shift, y: point.y >> shift))])
  }

  /// Returns the number of the cell that contains a point.
  /// - Parameter point: In the layer's own steps.
  private func cell(of point: Lattice) -> Int {
    point.y / Lattice.step * (Lattice.columns >> shift) + point.x / Lattice.step
  }

  /// Returns the areas that contain a point.
  package func areas(at point: Lattice) -> AreaSet {
    let record = record(at: point)
    return set(of: inside(at: Lattice(x: point.x >> shift, y: point.y >> shift), record: record), record: record)
  }

  /// Returns a bit for each of the record's areas that contains a point.
  /// - Parameter point: In the layer's own steps.
  func inside(at point: Lattice, record: Int) -> UInt64 {
    words.withUnsafeBufferPointer { words in
      let (count, base) = (Int(words[record] & 0xFF), Int(words[record] >> 8))
      var inside: UInt64 = (1 << UInt64(base)) - 1
      var at = record + 1 + count
      let lines = words[at]
      at += 1
      for _ in 0..<lines {
        let points = Int(words[at + 1])
        if point.crossings(UnsafeBufferPointer(rebasing: words[(at + 2)..<(at + 2 + 2 * points)])) & 1 != 0 {
          inside ^= Self.sides(words[at])
        }
        at += 2 + 2 * points
      }
      return inside
    }
  }

  /// Whether no line runs through the rectangle around a point, so that all of it lies in the same areas. May be false if
  /// the rectangle is in several cells, or a line is near a corner of it.
  func isWhole(around point: Lattice, east: Int, north: Int) -> Bool {
    let (x, y) = (point.x >> shift, point.y >> shift)
    let (cellX, cellY) = (x / Lattice.step * Lattice.step, y / Lattice.step * Lattice.step)
    let low = (x: ((point.x - east) >> shift) - cellX, y: ((point.y - north) >> shift) - cellY)
    let high = (x: ((point.x + east) >> shift) - cellX + 1, y: ((point.y + north) >> shift) - cellY + 1)
    guard low.x >= 0, low.y >= 0, high.x <= Lattice.step, high.y <= Lattice.step else { return false }
    let record = record(at: point)
    return words.withUnsafeBufferPointer { words in
      var at = record + 1 + Int(words[record] & 0xFF)
      let lines = words[at]
      at += 1
      for _ in 0..<lines {
        let end = at + 2 + 2 * Int(words[at + 1])
        at += 2
        // Bits of the sides of the rectangle beyond which the last corner of the line lies. If two corners are beyond
        // the same side, so is the line between them.
        var last: Int?
        while at < end {
          let (cornerX, cornerY) = (Int(words[at]), Int(words[at + 1]))
          let beyond =
            (cornerX < low.x ? 1 : 0) | (cornerX > high.x ? 2 : 0) | (cornerY < low.y ? 4 : 0)
            | (cornerY > high.y ? 8 : 0)
          if let last, last & beyond == 0 { return false }
          last = beyond
          at += 2
        }
      }
      return true
    }
  }

  /// Returns the bits of the areas on the two sides of a line; at the edge of the known world, one side has none.
  /// - Parameter pair: The first word of the line.
  static func sides(_ pair: UInt16) -> UInt64 {
    1 << UInt64(pair & 0xFF) ^ (pair >> 8 == 0xFF ? 0 : 1 << UInt64(pair >> 8))
  }

  /// Returns the areas of a record whose bits are set.
  /// - Parameter inside: A bit for each of the record's areas.
  func set(of inside: UInt64, record: Int) -> AreaSet {
    var (inside, set) = (inside, AreaSet())
    while inside != 0 {
      set.insert(words[record + 1 + inside.trailingZeroBitCount])
      inside &= inside - 1
    }
    return set
  }
}

/// A set of at most four areas, in order of priority.
package struct AreaSet: Sendable, Hashable {
  static let none = UInt16.max
  private(set) var numbers = SIMD4<UInt16>(repeating: none)

  var first: Int? { numbers[0] == Self.none ? nil : Int(numbers[0]) }

  mutating func insert(_ number: UInt16) {
    var number = number
    for place in 0..<4 where number < numbers[place] { swap(&number, &numbers[place]) }
  }

  /// All area numbers, in order.
  var all: [Int] { (0..<4).compactMap { numbers[$0] == Self.none ? nil : Int(numbers[$0]) } }
}

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

    /// Moves the part to the sixteenth of a cell that contains a point.
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
      let center = Lattice(
        x: ((first.x + opposite.x) / 2) >> layer.shift, y: ((first.y + opposite.y) / 2) >> layer.shift)
      middle = (center.x % Lattice.step * 2 + 1, center.y % Lattice.step * 2 + 1)
      inside = layer.inside(at: center, record: record)
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
