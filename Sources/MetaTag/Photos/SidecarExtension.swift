import SystemPackage

/// The file extension of the photo for which a sidecar was made. Lightroom and Camera Raw write it into the sidecar
/// (`photoshop:SidecarForExtension`).
enum SidecarExtension {
  private static let property = Array("SidecarForExtension".utf8)
  /// The length of the searched prefix. The property is in the first description; lists of brush strokes, which may
  /// take megabytes, come after it.
  private static let headCount = 1 << 18

  /// Returns the extension in lowercase. It is searched for, not parsed, since this runs for every pair in a folder.
  static func named(in sidecar: FilePath) -> String? {
    guard let source = try? FileSource(sidecar), let head = try? source.prefix(at: 0, count: headCount),
      let start = head.firstIndex(of: property)
    else { return nil }
    // Matches `="NEF"` or `>NEF<`.
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
