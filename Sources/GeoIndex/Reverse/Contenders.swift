/// The towns of one country in one of the grid's lists, side by side: each of many points is compared with four at a time.
struct Contenders {
  private struct Four {
    // Far from Earth, where there is no fourth one.
    let x = SIMD4<Float>(repeating: 9)
    let y = SIMD4<Float>(repeating: 9)
    let z = SIMD4<Float>(repeating: 9)
    let quietness = SIMD4<Float>()
    let radius = SIMD4<Float>()
  }

  /// None before they are filled in.
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
        numbers.append(lists[at])
      }
    }
    fours.removeLast(fours.count - (numbers.count + 3) / 4)
  }

  /// What `Towns.nearest` finds, where the point lies in the country: the same arithmetic, and of equals the first one.
  func nearest(to point: Point) -> Towns.Found {
    let here = GreatCircle.vector(point)
    let scale = Float(GreatCircle.radius)
    let reach = Float(Towns.reach) / scale
    let last = SIMD4<Int32>(repeating: .max)
    var (best, nearest, largest) = (SIMD4<Float>(repeating: .infinity), last, last)
    fours.withUnsafeBufferPointer { fours in
      var (scores, first, city, lanes) = (best, last, last, SIMD4<Int32>(0, 1, 2, 3))
      for four in fours {
        let (dx, dy, dz) = (four.x - here.x, four.y - here.y, four.z - here.z)
        let square = dx * dx + dy * dy + dz * dz
        let distance = square.squareRoot() * scale
        let score = ((distance + 300) * four.quietness).replacing(with: .infinity, where: square .> reach * reach)
        let isBetter = score .< scores
        scores.replace(with: score, where: isBetter)
        first.replace(with: lanes, where: isBetter)
        city.replace(with: lanes, where: (distance .<= four.radius) .& (city .== last))
        lanes &+= 4
      }
      (best, nearest, largest) = (scores, first, city)
    }
    // Each lane has the first one of its own.
    let place = nearest.replacing(with: last, where: best .> best.min()).min()
    var found = Towns.Found()
    if place != .max { found.locality = numbers[Int(place)] }
    if largest.min() != .max { found.city = numbers[Int(largest.min())] }
    return found
  }
}
