import Basics
import CSys

/// Borders and towns in memory, which answer queries about positions.
final class Geography: Sendable {
  let atlas: Atlas
  let towns: Towns
  let sphere = Sphere()

  init(atlas: Atlas, towns: Towns) {
    self.atlas = atlas
    self.towns = towns
  }

  /// The number of answers by which the memory of an answer is prefetched: consecutive answers are far apart in memory.
  private static let ahead = 8

  /// Returns the answers in the order of the positions. They are computed in the order of the cells, so that data is in
  /// the processor's cache from the previous one, and shared data is looked up once.
  func answers(_ positions: [(latitude: Double, longitude: Double)]) throws(GeoIndexError) -> [PositionInfo.Answer] {
    let order = try CurveOrder(positions)
    return [PositionInfo.Answer](unsafeUninitializedCapacity: positions.count) { answers, count in
      csys_large_pages(answers.baseAddress, UInt(positions.count * MemoryLayout<PositionInfo.Answer>.stride))
      var neighbourhood = CellCache()
      order.entries.withUnsafeBufferPointer { entries in
        for run in 0..<order.starts.count - 1 {
          fetch(order, from: run)
          let (start, end) = (Int(order.starts[run]), Int(order.starts[run + 1]))
          let corner = Lattice(curve: entries[start].curve)
          neighbourhood.move(to: corner, in: self)
          for place in start..<end {
            let entry = entries[place]
            let next = Int(entries[min(place + Self.ahead, entries.count - 1)].index)
            csys_prefetch(answers.baseAddress.map { $0 + next })
            let point = Lattice(x: corner.x &+ Int(entry.x), y: corner.y &+ Int(entry.y))
            let answer = neighbourhood.answer(point, in: self)
            answers.initializeElement(at: Int(entry.index), to: answer)
          }
        }
      }
      count = positions.count
    }
  }

  /// Prefetches what the next sixteenths of a degree need, because random memory access is slow. Each step is
  /// prefetched when the data that leads to it has arrived.
  private func fetch(_ order: CurveOrder, from run: Int) {
    func corner(_ steps: Int) -> Lattice {
      let run = min(run + steps, order.starts.count - 2)
      return Lattice(curve: order.entries[Int(order.starts[run])].curve)
    }
    let (soon, later, last) = (corner(1), corner(3), corner(5))
    atlas.fetchCells(at: last)
    towns.grid.fetchEntry(of: last)
    atlas.fetchRecords(at: later)
    _ = towns.grid.list(of: later)
    _ = towns.candidates(in: towns.grid.list(of: soon))
  }

  func answer(_ point: Coordinate) -> PositionInfo.Answer {
    let cell = Lattice(point)
    // Random memory access is slow: each step prefetches what a later one reads.
    atlas.fetchCells(at: cell)
    towns.grid.fetchEntry(of: cell)
    atlas.fetchRecords(at: cell)
    let list = towns.grid.list(of: cell)
    let zone = atlas.zone(cell)
    let candidates = towns.candidates(in: list)
    let spot = atlas.spot(cell, in: zone)
    let here = Sphere.vector(cell, in: sphere.part(around: cell))
    return PositionInfo.Answer(
      found: towns.nearest(of: candidates, to: here, country: spot.country), spot: spot)
  }
}
