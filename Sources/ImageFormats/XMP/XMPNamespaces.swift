/// Namespaces and their customary prefixes.
enum XMPNamespaces {
  /// The namespaces whose properties aren't known to `XMPSchema`, by prefix.
  private static let others: [String: String] = [
    "xmpRights": "http://ns.adobe.com/xap/1.0/rights/", "xmpBJ": "http://ns.adobe.com/xap/1.0/bj/",
    "xmpTPg": "http://ns.adobe.com/xap/1.0/t/pg/", "pdf": "http://ns.adobe.com/pdf/1.3/",
    "crs": "http://ns.adobe.com/camera-raw-settings/1.0/", "plus": "http://ns.useplus.org/ldf/xmp/1.0/",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "MP": "http://ns.microsoft.com/photo/1.2/", "MPRI": "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#", "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
    "apple-fi": "http://ns.apple.com/faceinfo/1.0/", "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#", "stRef": "http://ns.adobe.com/xap/1.0/sType/ResourceRef#",
    "digiKam": "http://www.digikam.org/ns/1.0/", "darktable": "http://darktable.sf.net/",
    "GCamera": "http://ns.google.com/photos/1.0/camera/", "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/",
  ]

  /// All known namespaces by prefix.
  static let known: [String: String] = others.merging(
    XMPSchema.allCases.filter { $0 != .other }.map { ($0.rawValue, "\($0.uri)") }
  ) { first, _ in first }

  /// The customary prefixes by namespace.
  static let prefixes: [String: String] = Dictionary(known.map { ($0.value, $0.key) }) { min($0, $1) }
}
