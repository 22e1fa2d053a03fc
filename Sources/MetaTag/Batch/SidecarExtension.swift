import SystemPackage

/// For which of several photos of one name a sidecar was made: Lightroom and Camera Raw write the ending of its name
/// into it (`photoshop:SidecarForExtension`).
enum SidecarExtension {
  private static let property = Array("SidecarForExtension".utf8)
  /// It stands in the first description. Lists of brush strokes, which may take megabytes, follow that.
  private static let headCount = 1 << 18

  /// The ending, in small letters. It is looked for and not parsed, as that is done for every pair of a folder.
  static func named(in sidecar: FilePath) -> String? {
    guard let source = try? FileSource(sidecar), let head = try? source.prefix(at: 0, count: headCount),
      let start = head.firstIndex(of: property)
    else { return nil }
    // `="NEF"`, or `>NEF<`.
    let rest = head.array[(start + property.count)...].prefix(64)
    let value = rest.drop { !$0.isLetterOrDigit }.prefix(while: \.isLetterOrDigit)
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self).lowercased()
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
