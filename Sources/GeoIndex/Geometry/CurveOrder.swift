import CSys

/// Positions along a curve through the cells (Morton's): those in one sixteenth of a degree side by side, its
/// neighbours near.
struct CurveOrder {
  /// A position: 12 bytes, so that sorting moves little.
  struct Entry {
    /// The place of its sixteenth of a degree on the curve.
    let curve: UInt32
    /// Steps from the sixteenth's first point.
    let x, y: UInt16
    /// Its number among the positions.
    let index: UInt32
  }

  let entries: [Entry]
  /// Where in `entries` each sixteenth begins, and behind them their count.
  let starts: [UInt32]

  /// - Throws: `.badCoordinate` if one of the positions is not on Earth.
  init(_ positions: [(latitude: Double, longitude: Double)]) throws(GeoIndexError) {
    var unsorted: [Entry] = []
    unsorted.reserveLargePages(for: positions.count)
    // How often each half of the bits occurs.
    var (lower, upper) = (Self.counters, Self.counters)
    for position in positions {
      let point = Lattice(try Point(validating: position.latitude, position.longitude))
      let (first, curve) = (point.sixteenth.first, point.curve)
      unsorted.append(
        Entry(
          curve: curve, x: UInt16(truncatingIfNeeded: point.x &- first.x),
          y: UInt16(truncatingIfNeeded: point.y &- first.y), index: UInt32(truncatingIfNeeded: unsorted.count)))
      lower[Self.digit(of: curve, 0)] &+= 1
      upper[Self.digit(of: curve, Lattice.curveBits)] &+= 1
    }
    // A radix sort: by the lower half of the bits, then by the upper one.
    let half = [Entry](unsafeUninitializedCapacity: positions.count) { half, count in
      csys_large_pages(half.baseAddress, UInt(positions.count * MemoryLayout<Entry>.stride))
      unsorted.withUnsafeBufferPointer { Self.sort($0, into: half, shift: 0, counts: lower) }
      count = positions.count
    }
    unsorted.withUnsafeMutableBufferPointer { sorted in
      half.withUnsafeBufferPointer { Self.sort($0, into: sorted, shift: Lattice.curveBits, counts: upper) }
    }
    entries = unsorted
    var (starts, last): ([UInt32], UInt32?) = ([], nil)
    for (place, entry) in entries.enumerated() where entry.curve != last {
      starts.append(UInt32(truncatingIfNeeded: place))
      last = entry.curve
    }
    starts.append(UInt32(truncatingIfNeeded: entries.count))
    self.starts = starts
  }

  private static var counters: [UInt32] { [UInt32](repeating: 0, count: 1 << Lattice.curveBits) }

  private static func digit(of curve: UInt32, _ shift: Int) -> Int {
    Int(curve &>> UInt32(shift) & (1 << UInt32(Lattice.curveBits) - 1))
  }

  /// - Parameter counts: how often each digit occurs.
  private static func sort(
    _ entries: UnsafeBufferPointer<Entry>, into sorted: UnsafeMutableBufferPointer<Entry>, shift: Int, counts: [UInt32]
  ) {
    var (places, place): ([UInt32], UInt32) = (counts, 0)
    for digit in counts.indices {
      places[digit] = place
      place &+= counts[digit]
    }
    places.withUnsafeMutableBufferPointer { places in
      for entry in entries {
        let digit = digit(of: entry.curve, shift)
        sorted.initializeElement(at: Int(places[digit]), to: entry)
        places[digit] &+= 1
      }
    }
  }
}
