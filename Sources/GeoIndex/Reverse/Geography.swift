import CSys

/// Borders and towns: what answers questions about positions, in memory.
final class Geography: Sendable {
  let atlas: Atlas
  let towns: Towns

  init(atlas: Atlas, towns: Towns) {
    self.atlas = atlas
    self.towns = towns
  }

  /// The answers in the order of the positions. They are looked for in the order of the cells, so that what one needs is in
  /// the processor's cache from the one before, and what neighbours have in common is looked up once.
  func answers(_ positions: [(latitude: Double, longitude: Double)]) throws(GeoIndexError) -> [Whereabouts.Answer] {
    let places = try Self.places(of: positions)
    // A radix sort: by the lower half of the bits, then by the upper one.
    let half = Self.sorted(0..<UInt32(positions.count), places, shift: 0)
    let order = Self.sorted(half, places, shift: UInt32(Lattice.curveBits))
    return [Whereabouts.Answer](unsafeUninitializedCapacity: positions.count) { answers, count in
      csys_large_pages(answers.baseAddress, UInt(positions.count * MemoryLayout<Whereabouts.Answer>.stride))
      // Each point and the place of its answer are far from those of the one before: the processor begins to fetch them early.
      let ahead = 16
      var neighbourhood = Neighbourhood()
      positions.withUnsafeBufferPointer { positions in
        for (place, index) in order.enumerated() {
          let next = Int(order[min(place + ahead, order.count - 1)])
          csys_prefetch(positions.baseAddress.map { $0 + next })
          csys_prefetch(answers.baseAddress.map { $0 + next })
          let answer = neighbourhood.answer(Point(turning: positions[Int(index)]), in: self)
          answers.initializeElement(at: Int(index), to: answer)
        }
      }
      count = positions.count
    }
  }

  /// The places of positions on a curve: those in one sixteenth of a degree side by side, its neighbours near.
  private static func places(
    of positions: [(latitude: Double, longitude: Double)]
  ) throws(GeoIndexError) -> [UInt32] {
    var places: [UInt32] = []
    places.reserveCapacity(positions.count)
    for position in positions {
      places.append(Lattice(try Point(validating: position.latitude, position.longitude)).curve)
    }
    return places
  }

  /// Numbers of positions, sorted by some bits of their places on the curve.
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
