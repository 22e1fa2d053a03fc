import CSys
import Foundation

/// Areas of the world, divided into cells of a quarter of a degree or a few of them, as written by Scripts/borders
/// (which describes the format).
///
/// A cell records the areas that contain its center and the lines that run through it. A point in the cell has the
/// areas of the center, and enters or leaves those of each line on the way from there. Only integers are used, so no
/// point lies in two areas that merely touch, and none falls between them.
struct AreaLayer: Sendable {
  /// The fields of each area.
  let areas: [[String]]
  /// The word index at which each cell's record begins, row by row.
  let cells: [UInt32]
  /// The layer's step size: 2 to the power of this, in steps of the lattice.
  let shift: Int
  let words: [UInt16]

  /// - Parameter bytes: A whole file. It is validated completely, so later reads need no checks.
  init(_ bytes: Data) throws(GeoIndexError) {
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

  /// - Parameter point: In the layer's own steps.
  private func cell(of point: Lattice) -> Int {
    point.y / Lattice.step * (Lattice.columns >> shift) + point.x / Lattice.step
  }

  /// Returns the areas that contain a point.
  func areas(at point: Lattice) -> AreaSet {
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

  /// Returns the bits of the areas on the two sides of a line; at the edge of the known world, one side has none.
  /// - Parameter pair: The first word of the line.
  static func sides(_ pair: UInt16) -> UInt64 {
    1 << UInt64(pair & 0xFF) ^ (pair >> 8 == 0xFF ? 0 : 1 << UInt64(pair >> 8))
  }

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
struct AreaSet: Sendable, Hashable {
  static let none = UInt16.max
  private(set) var numbers = SIMD4<UInt16>(repeating: none)

  var first: Int? { numbers[0] == Self.none ? nil : Int(numbers[0]) }

  mutating func insert(_ number: UInt16) {
    var number = number
    for place in 0..<4 where number < numbers[place] { swap(&number, &numbers[place]) }
  }

  /// All area numbers, in order.
  var all: [Int] { (0..<4).map { numbers[$0] }.filter { $0 != Self.none }.map(Int.init) }
}
