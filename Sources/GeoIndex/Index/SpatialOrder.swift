import Basics

/// The order of places by position: in groups of one size and one quarter of a degree of latitude, each from west to east.
enum SpatialOrder {
  /// The number of classes of sizes. The first is of places without a known radius; each other one of radii up to twice
  /// those of the class before, from 100 m on.
  private static let sizes = 17
  private static let bands = 721

  private static func size(_ radius: UInt16) -> Int { UInt16.bitWidth - radius.leadingZeroBitCount }

  /// The largest radius of a class in metres.
  private static func reach(_ size: Int) -> Double { size == 0 ? 0 : Double((1 << size) - 1) * 100 }

  private static func group(size: Int, band: Int) -> Int { size * bands + band + bands / 2 }

  /// The longitude in units of which 2^18 are a turn.
  private static func column(_ longitude: Int32) -> Int { (Int(longitude) + 1_800_000_000) >> 14 }

  /// Returns the places in order, and the index at which each group begins, with the end.
  static func sorted(
    latitudes: UnsafeBufferPointer<Int32>, longitudes: UnsafeBufferPointer<Int32>, radii: UnsafeBufferPointer<UInt16>
  ) -> (places: [UInt32], starts: [UInt32]) {
    var keys = latitudes.indices.map { place in
      let band = Box.band(latitude: Int(latitudes[place]) / 100)
      let group = group(size: size(radii[place]), band: band)
      return UInt64(group) << 50 | UInt64(column(longitudes[place])) << 32 | UInt64(place)
    }
    keys.sort()
    var starts = [UInt32](repeating: 0, count: sizes * bands + 1)
    for key in keys { starts[Int(key >> 50) + 1] += 1 }
    for group in 1..<starts.count { starts[group] += starts[group - 1] }
    return (keys.map { UInt32(truncatingIfNeeded: $0) }, starts)
  }

  /// Calls `body` with each place whose circle is at most `metres` away from a point, and the distance of its middle, in
  /// the order of the index.
  static func forEach(
    in index: PlaceIndex, around point: Coordinate, within metres: Double, onlyAreas: Bool = false,
    _ body: (_ place: Int, _ distance: Double) -> Void
  ) {
    for size in (onlyAreas ? 1 : 0)..<sizes {
      let first = group(size: size, band: -bands / 2)
      guard index.spatialStarts[first] < index.spatialStarts[first + bands] else { continue }
      let reach = min(metres + reach(size), Coordinate.meanRadius * .pi)
      for box in Box.around(point, radius: reach) {
        for band in box.bands {
          let group = group(size: size, band: band)
          let places = index.spatialPlaces[Int(index.spatialStarts[group])..<Int(index.spatialStarts[group + 1])]
          let (west, east) = (column(Int32(box.west * 100)), column(Int32(box.east * 100)))
          let start = places.partitioningIndex { column(index.longitudes[Int($0)]) >= west }
          for place in places[start...].lazy.map(Int.init) {
            if column(index.longitudes[place]) > east { break }
            let distance = point.haversineDistance(to: index.point(of: place))
            if distance - index.radius(of: place) <= metres { body(place, distance) }
          }
        }
      }
    }
  }
}

extension RandomAccessCollection {
  /// Returns the first index at which a condition holds that holds for all later ones, or the end.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if holds(self[middle]) { count = half } else { (low, count) = (index(after: middle), count - half - 1) }
    }
    return low
  }
}
