/// The XMP of a picture that is encoded again.
extension XMPTree {
  /// Returns the packet for the picture once it is turned upright: its regions are turned with it, and properties of what a
  /// new encoding hasn't (gain and depth maps, the movie of a motion photo, XMP beyond one segment) are removed.
  /// - Parameters:
  ///   - orientation: How the picture is turned, as in EXIF, 1…8.
  ///   - size: The new size.
  package static func recoded(_ bytes: [UInt8], orientation: Int, size: PixelSize) -> [UInt8] {
    guard let tree = try? XMPTree(bytes), let packet = try? XMPPacket(Bytes(bytes)) else { return bytes }
    let lost = tree.properties.filter { isLost($0.name) }.map { Splice($0.range, []) }
    let splices = (lost + tree.turnedRegions(orientation, size)).sorted { $0.range.lowerBound < $1.range.lowerBound }
    return splices.isEmpty ? bytes : (try? packet.applying(splices)) ?? bytes
  }

  private static func isLost(_ name: String) -> Bool {
    let prefixes = ["hdrgm", "Container", "GContainer", "HDRGainMap", "GDepth", "GImage", "Device"]
    let names = ["MotionPhoto", "MicroVideo"].map { "GCamera:" + $0 }
    return prefixes.contains(String(XMPPath.prefix(of: name))) || names.contains(where: name.hasPrefix)
      || name == "xmpNote:HasExtendedXMP"
  }

  /// Returns the changes of regions and of the size to which they apply.
  private func turnedRegions(_ orientation: Int, _ size: PixelSize) -> [Splice] {
    var splices: [Splice] = []
    func set(_ node: Node?, _ text: String) {
      if let node, node.text != nil, node.text != text { splices.append(replacement(of: node, with: text)) }
    }
    func field(_ node: Node?, _ name: String) -> Node? { node?.fields.first { $0.name == name } }
    let regions = properties.first { $0.name == "mwg-rs:Regions" }
    let dimensions = field(regions, "mwg-rs:AppliedToDimensions")
    set(field(dimensions, "stDim:w"), "\(size.width)")
    set(field(dimensions, "stDim:h"), "\(size.height)")
    for item in field(regions, "mwg-rs:RegionList")?.array?.items ?? [] {
      let area = field(item, "mwg-rs:Area")
      let (x, y) = (field(area, "stArea:x"), field(area, "stArea:y"))
      guard let horizontal = x?.text.flatMap({ Double(xmp: $0) }), let vertical = y?.text.flatMap({ Double(xmp: $0) })
      else { continue }
      let center = Self.turned((horizontal, vertical), orientation)
      set(x, Self.text(center.x))
      set(y, Self.text(center.y))
      if orientation > 4, let w = field(area, "stArea:w"), let h = field(area, "stArea:h") {
        if let text = h.text { set(w, text) }
        if let text = w.text { set(h, text) }
      }
    }
    let people = field(properties.first { $0.name == "MP:RegionInfo" }, "MPRI:Regions")
    for item in people?.array?.items ?? [] {
      guard let rectangle = field(item, "MPReg:Rectangle"), let text = rectangle.text else { continue }
      let numbers = text.split(separator: ",").compactMap { Double(xmp: $0.trimmingBlanks) }
      guard numbers.count == 4 else { continue }
      let center = Self.turned((numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2), orientation)
      let (width, height) = orientation > 4 ? (numbers[3], numbers[2]) : (numbers[2], numbers[3])
      let values = [center.x - width / 2, center.y - height / 2, width, height]
      if orientation != 1 { set(rectangle, values.map(Self.text).joined(separator: ", ")) }
    }
    return splices
  }

  /// Returns where a point of the stored picture is in the upright one; both are parts of its width and height.
  private static func turned(_ point: (x: Double, y: Double), _ orientation: Int) -> (x: Double, y: Double) {
    let (x, y) = point
    return switch orientation {
    case 2: (1 - x, y)
    case 3: (1 - x, 1 - y)
    case 4: (x, 1 - y)
    case 5: (y, x)
    case 6: (1 - y, x)
    case 7: (1 - y, 1 - x)
    case 8: (y, 1 - x)
    default: (x, y)
    }
  }

  private static func text(_ number: Double) -> String { "\((number * 1e6).rounded() / 1e6)" }
}
