import CSys

/// Borders and towns: what answers questions about positions, in memory.
final class Geography: Sendable {
  let atlas: Atlas
  let towns: Towns

  init(atlas: Atlas, towns: Towns) {
    self.atlas = atlas
    self.towns = towns
  }

  /// The answers in the order of the points. They are looked for in the order of the cells, so that what one needs is in
  /// the processor's cache from the one before.
  func answers(_ points: [Point]) -> [Whereabouts.Answer] {
    // Of few points none has neighbours.
    guard points.count > 1_000 else { return points.map(answer) }
    let order = Self.order(of: points)
    return [Whereabouts.Answer](unsafeUninitializedCapacity: points.count) { answers, count in
      csys_large_pages(answers.baseAddress, UInt(points.count * MemoryLayout<Whereabouts.Answer>.stride))
      // Each point and the place of its answer are far from those of the one before: the processor begins to fetch them early.
      let ahead = 16
      points.withUnsafeBufferPointer { points in
        for (place, index) in order.enumerated() {
          let next = Int(order[min(place + ahead, order.count - 1)])
          csys_prefetch(points.baseAddress.map { $0 + next })
          csys_prefetch(answers.baseAddress.map { $0 + next })
          answers.initializeElement(at: Int(index), to: answer(points[Int(index)]))
        }
      }
      count = points.count
    }
  }

  /// Numbers of the points by their places on a curve: those in one sixteenth of a degree side by side, its neighbours near.
  private static func order(of points: [Point]) -> [UInt32] {
    let places = points.map { Lattice($0).curve }
    // A radix sort: by the lower half of the bits, then by the upper one.
    return sorted(sorted(0..<UInt32(points.count), places, shift: 0), places, shift: UInt32(Lattice.curveBits))
  }

  private static func sorted(
    _ numbers: some RandomAccessCollection<UInt32>, _ places: [UInt32], shift: UInt32
  ) -> [UInt32] {
    let mask = UInt32(1) << UInt32(Lattice.curveBits) - 1
    var starts = [UInt32](repeating: 0, count: Int(mask) + 2)
    for place in places { starts[Int(place >> shift & mask) + 1] += 1 }
    for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
    return [UInt32](unsafeUninitializedCapacity: places.count) { sorted, count in
      for number in numbers {
        let digit = Int(places[Int(number)] >> shift & mask)
        sorted.initializeElement(at: Int(starts[digit]), to: number)
        starts[digit] += 1
      }
      count = places.count
    }
  }

  func answer(_ point: Point) -> Whereabouts.Answer {
    let cell = Lattice(point)
    // Memory brings late what is looked up here and there: each step asks for what a later one reads.
    atlas.fetchCells(at: cell)
    towns.grid.fetchEntry(of: cell)
    atlas.fetchRecords(at: cell)
    let list = towns.grid.list(of: cell)
    let zone = atlas.zone(cell)
    let candidates = towns.candidates(in: list)
    let spot = atlas.spot(cell, in: zone)
    return Whereabouts.Answer(
      found: towns.nearest(of: candidates, to: point, country: spot.country), spot: spot)
  }
}
