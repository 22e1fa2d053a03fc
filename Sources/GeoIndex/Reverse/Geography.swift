import Foundation

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
      for index in order { answers.initializeElement(at: Int(index), to: answer(points[Int(index)])) }
      count = points.count
    }
  }

  /// Numbers of the points, those in one square degree side by side, and its neighbours near: sorted by its place on a
  /// curve, in one pass.
  private static func order(of points: [Point]) -> [UInt32] {
    let places = points.map { Lattice($0).curve }
    var starts = [UInt32](repeating: 0, count: Lattice.curveLength + 1)
    for place in places { starts[Int(place) + 1] += 1 }
    for place in 1..<starts.count { starts[place] += starts[place - 1] }
    return [UInt32](unsafeUninitializedCapacity: points.count) { order, count in
      for (index, place) in places.enumerated() {
        order.initializeElement(at: Int(starts[Int(place)]), to: UInt32(index))
        starts[Int(place)] += 1
      }
      count = points.count
    }
  }

  func answer(_ point: Point) -> Whereabouts.Answer {
    let cell = Lattice(point)
    let spot = atlas.spot(cell)
    var answer = Whereabouts.Answer(country: spot.country, sea: spot.sea)
    answer.found = towns.near(point, cell, country: spot.country)
    if let drawn = spot.region {
      answer.region = .drawn(drawn)
    } else if answer.found.locality != Towns.Found.none {
      answer.region = .ofTown(towns.sites[Int(answer.found.locality)].region)
    }
    return answer
  }
}
