import Basics

/// The towns of one country in one list of the grid, in a layout that compares a point with four towns at a time.
struct CandidateTowns {
  private struct Four {
    // Coordinates far from Earth, for unused lanes.
    let x = SIMD4<Float>(repeating: 9)
    let y = SIMD4<Float>(repeating: 9)
    let z = SIMD4<Float>(repeating: 9)
    let quietness = SIMD4<Float>()
    let radius = SIMD4<Float>()
    let obscurity = SIMD4<Float>()
  }

  /// The country; `none` until the towns are filled in.
  var country = CountryCode.none
  private var fours: [Four] = []
  private var numbers: [UInt32] = []

  mutating func fill(from towns: Towns, _ candidates: Range<Int>, country: CountryCode) {
    self.country = country
    fours.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    fours.append(contentsOf: repeatElement(Four(), count: (candidates.count + 3) / 4))
    let (sites, lists) = (towns.sites.values, towns.grid.lists.values)
    fours.withUnsafeMutableBytes { bytes in
      for at in candidates {
        let site = sites[Int(lists[at])]
        guard site.country == country else { continue }
        // A lane, in the order of the properties above.
        let lane = numbers.count / 4 * MemoryLayout<Four>.stride + numbers.count % 4 * 4
        bytes.storeBytes(of: site.x, toByteOffset: lane, as: Float.self)
        bytes.storeBytes(of: site.y, toByteOffset: lane + 16, as: Float.self)
        bytes.storeBytes(of: site.z, toByteOffset: lane + 32, as: Float.self)
        bytes.storeBytes(of: site.quietness, toByteOffset: lane + 48, as: Float.self)
        bytes.storeBytes(of: site.radius, toByteOffset: lane + 64, as: Float.self)
        bytes.storeBytes(of: site.obscurity, toByteOffset: lane + 80, as: Float.self)
        numbers.append(lists[at])
      }
    }
    fours.removeLast(fours.count - (numbers.count + 3) / 4)
  }

  /// Returns the same result as `Towns.nearest` for a point in the country: with the same arithmetic, and of equal
  /// towns the first.
  /// - Parameter here: The point, on the unit sphere.
  func nearest(to here: (x: Float, y: Float, z: Float)) -> Towns.Found {
    nearest(x: SIMD4(repeating: here.x), y: SIMD4(repeating: here.y), z: SIMD4(repeating: here.z))
  }

  // A separate function, because with inlining the compiler splits the vectors into scalars.
  @inline(never)
  private func nearest(x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>) -> Towns.Found {
    let scale = SIMD4(repeating: Float(Coordinate.meanRadius))
    let reach = Float(Towns.reach) / Float(Coordinate.meanRadius)
    let farthest = SIMD4(repeating: reach * reach)
    let none = SIMD4<Int32>(repeating: .max)
    var (best, nearest) = (SIMD4<Float>(repeating: .infinity), none)
    var (clearest, city) = (best, none)
    var lanes = SIMD4<Int32>(0, 1, 2, 3)
    fours.withUnsafeBufferPointer { fours in
      for four in fours {
        let (dx, dy, dz) = (four.x - x, four.y - y, four.z - z)
        let square = dx * dx + dy * dy + dz * dz
        let distance = square.squareRoot() * scale
        let score = ((distance + 300) * four.quietness).replacing(with: .infinity, where: square .> farthest)
        let isBetter = score .< best
        best.replace(with: score, where: isBetter)
        nearest.replace(with: lanes, where: isBetter)
        let doubt = ((distance + Float(Towns.middle)) * four.obscurity)
          .replacing(with: .infinity, where: distance .> four.radius)
        let isClearer = doubt .< clearest
        clearest.replace(with: doubt, where: isClearer)
        city.replace(with: lanes, where: isClearer)
        lanes &+= 4
      }
    }
    // Each lane contains its first minimum.
    func first(_ lanes: SIMD4<Int32>, _ scores: SIMD4<Float>) -> UInt32 {
      let place = Self.least(lanes.replacing(with: none, where: scores .> Self.least(scores)))
      return place == .max ? Towns.Found.none : numbers[Int(place)]
    }
    return Towns.Found(locality: first(nearest, best), city: first(city, clearest))
  }

  /// Returns the minimum; the compiler doesn't generate this from `min()`.
  private static func least<Number: Comparable>(_ lanes: SIMD4<Number>) -> Number {
    min(min(lanes.x, lanes.y), min(lanes.z, lanes.w))
  }
}
