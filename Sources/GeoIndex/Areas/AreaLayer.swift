import CSys
import Foundation

/// Areas of the world, by cells of a quarter of a degree or a few of them, as Scripts/borders makes them (the format is
/// described there).
///
/// A cell knows which areas hold its centre, and the lines that run through it. A point in it has the centre's areas,
/// and enters or leaves those of each line on its way from there: whole numbers only, so that no point lies in two
/// areas that only touch, and none between them.
struct AreaLayer: Sendable {
  /// Each area's fields.
  let areas: [[String]]
  /// The word at which each cell's record begins, row by row.
  let cells: [UInt32]
  /// One step of the layer is 2 to the power of this of the lattice's.
  let shift: Int
  let words: [UInt16]

  /// - Parameter bytes: a whole file. It is checked to the end: what follows can't go wrong.
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

  /// Refuses a record that leads out of the words or names areas that aren't there.
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

  /// Lets the processor begin to fetch what `fetchRecord(at:)` will read.
  func fetchCell(at point: Lattice) {
    let cell = cell(of: Lattice(x: point.x >> shift, y: point.y >> shift))
    cells.withUnsafeBufferPointer { csys_prefetch($0.baseAddress.map { $0 + cell }) }
  }

  /// Lets the processor begin to fetch what `areas(at:)` will read.
  func fetchRecord(at point: Lattice) {
    let record = record(at: point)
    words.withUnsafeBufferPointer { csys_prefetch($0.baseAddress.map { $0 + record }) }
  }

  /// The word at which the record of a point's cell begins.
  func record(at point: Lattice) -> Int {
    Int(cells[cell(of: Lattice(x: point.x >> shift, y: point.y >> shift))])
  }

  /// - Parameter point: in steps of the layer's own.
  private func cell(of point: Lattice) -> Int {
    point.y / Lattice.step * (Lattice.columns >> shift) + point.x / Lattice.step
  }

  /// The areas that hold a point.
  func areas(at point: Lattice) -> AreaSet {
    let record = record(at: point)
    return set(of: inside(at: Lattice(x: point.x >> shift, y: point.y >> shift), record: record), record: record)
  }

  /// A bit for each of the record's areas that holds a point.
  /// - Parameter point: in steps of the layer's own.
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

  /// Bits of the areas on the two sides of a line; where it is the edge of all that is known, one side has none.
  /// - Parameter pair: as the line's first word tells them.
  static func sides(_ pair: UInt16) -> UInt64 {
    1 << UInt64(pair & 0xFF) ^ (pair >> 8 == 0xFF ? 0 : 1 << UInt64(pair >> 8))
  }

  /// - Parameter inside: a bit for each of the record's areas.
  func set(of inside: UInt64, record: Int) -> AreaSet {
    var (inside, set) = (inside, AreaSet())
    while inside != 0 {
      set.insert(words[record + 1 + inside.trailingZeroBitCount])
      inside &= inside - 1
    }
    return set
  }
}

/// At most four areas, the one that counts first.
struct AreaSet: Sendable, Hashable {
  static let none = UInt16.max
  private(set) var numbers = SIMD4<UInt16>(repeating: none)

  var first: Int? { numbers[0] == Self.none ? nil : Int(numbers[0]) }

  mutating func insert(_ number: UInt16) {
    var number = number
    for place in 0..<4 where number < numbers[place] { swap(&number, &numbers[place]) }
  }

  /// All of them, in order.
  var all: [Int] { (0..<4).map { numbers[$0] }.filter { $0 != Self.none }.map(Int.init) }
}
