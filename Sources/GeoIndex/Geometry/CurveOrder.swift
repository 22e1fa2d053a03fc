import Basics
import CSys

/// Positions sorted along a curve through the cells (Morton order): those in one sixteenth of a degree are adjacent,
/// and neighbours are close.
struct CurveOrder {
  /// A position in 12 bytes, so that sorting moves little data.
  struct Entry {
    /// The index of its sixteenth of a degree on the curve.
    let curve: UInt32
    /// The steps from the first point of the sixteenth.
    let x, y: UInt16
    /// The index of the position in the input.
    let index: UInt32
  }

  let entries: [Entry]
  /// The index in `entries` at which each sixteenth begins, followed by the number of entries.
  let starts: [UInt32]

  /// Sorts positions along the curve.
  /// - Throws: `.badCoordinate` if one of the positions is not on Earth.
  init(_ positions: [(latitude: Double, longitude: Double)]) throws(GeoIndexError) {
    var unsorted: [Entry] = []
    unsorted.reserveLargePages(for: positions.count)
    // Counts of each value of the two halves of the bits.
    var (lower, upper) = (Self.counters, Self.counters)
    for position in positions {
      let point = Lattice(try Coordinate(validating: position.latitude, position.longitude))
      let (first, curve) = (point.sixteenth.first, point.curve)
      unsorted.append(
        Entry(
          curve: curve, x: UInt16(truncatingIfNeeded: point.x &- first.x),
          y: UInt16(truncatingIfNeeded: point.y &- first.y), index: UInt32(truncatingIfNeeded: unsorted.count)))
      lower[Self.digit(of: curve, 0)] &+= 1
      upper[Self.digit(of: curve, Lattice.curveBits)] &+= 1
    }
    // A radix sort: by the lower half of the bits, then by the upper half.
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

  /// Sorts entries by one digit of their keys; equal digits keep their order.
  /// - Parameter counts: The number of occurrences of each digit.
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
