import Basics

/// A point of a lattice with steps of a hundred-thousandth of a degree. It is offset by half a step from the lattice of
/// the borders, so no point coincides with a corner of a border.
struct Lattice: Hashable {
  static let rows = 720
  static let columns = 1440
  /// The number of steps in a cell of a quarter of a degree.
  static let step = 25_000

  /// The steps from 180° west and from the south pole.
  let x: Int
  let y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// - Parameter point: A point with longitude -180...180, which is ignored at the poles.
  init(_ point: Coordinate) {
    let width = Self.columns * Self.step
    let height = Self.rows * Self.step
    // No value is negative, so truncation rounds down.
    y = min(Int((point.latitude + 90) * 1e5), height - 1)
    let east = Int((point.longitude + 180) * 1e5)
    x = abs(point.latitude) == 90 ? width / 2 : min(east, width - 1)
  }

  /// Returns the point some steps away; wraps around the world, but not over a pole.
  func moved(_ east: Int, _ north: Int) -> Lattice {
    let width = Self.columns * Self.step
    return Lattice(x: (x + east + width) % width, y: min(max(y + north, 0), Self.rows * Self.step - 1))
  }

  /// Half the bits of `curve`: enough for the sixteenths of 360 degrees.
  static let curveBits = 13

  /// The index of its sixteenth of a degree on a curve that keeps neighbours close (Morton order).
  var curve: UInt32 {
    func spread(_ number: Int) -> UInt32 {
      var bits = UInt32(truncatingIfNeeded: number)
      bits = (bits | bits << 8) & 0x00FF_00FF
      bits = (bits | bits << 4) & 0x0F0F_0F0F
      bits = (bits | bits << 2) & 0x3333_3333
      return (bits | bits << 1) & 0x5555_5555
    }
    return spread(x / Self.part) | spread(y / Self.part) << 1
  }

  /// Creates the first point of the sixteenth of a degree at an index of the curve.
  init(curve: UInt32) {
    func gather(_ bits: UInt32) -> Int {
      var bits = bits & 0x5555_5555
      bits = (bits | bits >> 1) & 0x3333_3333
      bits = (bits | bits >> 2) & 0x0F0F_0F0F
      bits = (bits | bits >> 4) & 0x00FF_00FF
      return Int((bits | bits >> 8) & 0xFFFF)
    }
    self.init(x: gather(curve) * Self.part, y: gather(curve >> 1) * Self.part)
  }

  /// The number of steps in a sixteenth of a degree.
  static let part = 6_250

  /// The first and the last point of its sixteenth of a degree.
  var sixteenth: (first: Lattice, last: Lattice) {
    let first = Lattice(x: x / Self.part * Self.part, y: y / Self.part * Self.part)
    return (first, Lattice(x: first.x + Self.part - 1, y: first.y + Self.part - 1))
  }

  var cell: Int { y / Self.step * Self.columns + x / Self.step }

  /// Returns the number of times that the straight path from here to the cell's center crosses a line.
  ///
  /// Computed in half steps, so that all values are integers. A corner of the line that lies on the path counts as
  /// right of it.
  /// - Parameter line: The x and y of each corner from the cell's south-west corner, in 16 bits, so that nothing
  ///   overflows.
  func crossings(_ line: UnsafeBufferPointer<UInt16>) -> Int {
    let (px, py) = (x % Self.step * 2 + 1, y % Self.step * 2 + 1)
    let (cx, cy) = (Self.step + 1, Self.step + 1)
    let (dx, dy) = (cx - px, cy - py)
    // The side of the path on which a corner lies, from the sign of dx * (by - py) - dy * (bx - px).
    let way = dx &* py &- dy &* px
    var (ax, ay, wasLeft, crossings) = (0, 0, false, 0)
    var at = 0
    while at &+ 1 < line.count {
      let (bx, by) = (2 &* Int(line[at]), 2 &* Int(line[at &+ 1]))
      let isLeft = dx &* by &- dy &* bx > way
      if isLeft != wasLeft, at > 0 {
        let (ex, ey) = (bx &- ax, by &- ay)
        let here = ex &* (py &- ay) &- ey &* (px &- ax) > 0
        let there = ex &* (cy &- ay) &- ey &* (cx &- ax) > 0
        if here != there { crossings &+= 1 }
      }
      (ax, ay, wasLeft) = (bx, by, isLeft)
      at &+= 2
    }
    return crossings
  }
}
