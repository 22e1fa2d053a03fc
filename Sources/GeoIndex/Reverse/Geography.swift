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
  func whereabouts(_ points: [Point]) -> [Whereabouts] {
    var order = points.indices.map { UInt64(Lattice(points[$0]).curve) << 32 | UInt64($0) }
    order.sort()
    return [Whereabouts](unsafeUninitializedCapacity: points.count) { answers, count in
      for entry in order {
        let index = Int(entry & 0xFFFF_FFFF)
        answers.initializeElement(at: index, to: whereabouts(points[index]))
      }
      count = points.count
    }
  }

  func whereabouts(_ point: Point) -> Whereabouts {
    let cell = Lattice(point)
    let spot = atlas.spot(cell)
    let found = towns.near(point, cell, country: spot.country)
    var region = Whereabouts.Region.none
    if let drawn = spot.region {
      region = .drawn(drawn)
    } else if let town = found.locality {
      region = .ofTown(towns.sites[Int(town)].region)
    }
    return Whereabouts(
      latitude: point.latitude, longitude: point.longitude, geography: self, country: spot.country, region: region,
      sea: spot.sea, found: found)
  }
}
