/// The regions in a packet.
extension XMPTree {
  /// Whether a packet seems to have regions, without parsing it.
  package static func mayHoldRegions(_ bytes: Bytes) -> Bool {
    ["/schemas/regions/", "/t/RegionInfo#"].contains { bytes.firstIndex(of: Array($0.utf8)) != nil }
  }

  /// The regions of the Metadata Working Group's schema (2.0, 5.9), which Apple uses too, and of Microsoft's People Tags.
  /// Regions without a readable rectangle are left out.
  package var regions: [ImageRegion] {
    let mwg = items("mwg-rs:Regions", "mwg-rs:RegionList").compactMap { item -> ImageRegion? in
      guard let area = item.fields.first(where: { $0.name == "mwg-rs:Area" }) else { return nil }
      // Pixels would need the size to which they apply.
      guard ["normalized", nil].contains(area.value("stArea:unit")) else { return nil }
      let side = area.number("stArea:d")
      guard let x = area.number("stArea:x"), let y = area.number("stArea:y") else { return nil }
      return ImageRegion(
        name: item.value("mwg-rs:Name"), kind: item.value("mwg-rs:Type").flatMap(ImageRegion.Kind.init), centre: (x, y),
        width: area.number("stArea:w") ?? side ?? 0, height: area.number("stArea:h") ?? side ?? 0)
    }
    let microsoft = items("MP:RegionInfo", "MPRI:Regions").compactMap { item -> ImageRegion? in
      let numbers = (item.value("MPReg:Rectangle") ?? "").split(separator: ",").compactMap {
        Double(xmp: $0.trimmingBlanks)
      }
      guard numbers.count == 4 else { return nil }
      return ImageRegion(
        name: item.value("MPReg:PersonDisplayName"), kind: .face,
        centre: (numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2), width: numbers[2], height: numbers[3])
    }
    // Programs write both; a face is listed once.
    return mwg + microsoft.filter { region in !mwg.contains { $0.isSame(as: region) } }
  }

  private func items(_ outer: String, _ inner: String) -> [Node] {
    properties.first { $0.name == outer }?.fields.first { $0.name == inner }?.array?.items ?? []
  }
}

extension XMPTree.Node {
  fileprivate func value(_ name: String) -> String? { fields.first { $0.name == name }?.text }
  fileprivate func number(_ name: String) -> Double? { value(name).flatMap { Double(xmp: $0) } }
}

extension ImageRegion {
  /// Creates a region around its centre; returns nil if it isn't within the picture, apart from rounding.
  fileprivate init?(name: String?, kind: Kind?, centre: (x: Double, y: Double), width: Double, height: Double) {
    let (x, y) = (centre.x - width / 2, centre.y - height / 2)
    let range = -0.01...1.01
    guard [x, y, width, height, x + width, y + height].allSatisfy(range.contains) else { return nil }
    self.init(
      name: name.flatMap { $0.isEmpty ? nil : $0 }, kind: kind, x: max(0, x), y: max(0, y), width: width, height: height
    )
  }

  fileprivate func isSame(as other: ImageRegion) -> Bool {
    [x - other.x, y - other.y, width - other.width, height - other.height].allSatisfy { abs($0) < 0.01 }
  }
}
