import SystemPackage

/// Paths as bytes, which need not be UTF-8.
extension FilePath {
  /// Creates a path from bytes, up to the first zero.
  package init(bytes: [UInt8]) {
    self = (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { FilePath(platformString: Array($0)) }
    }
  }

  package var bytes: [UInt8] { withPlatformString { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) } }
}

extension FilePath.Component {
  package var bytes: [UInt8] { FilePath(root: nil, [self]).bytes }

  /// Whether the name begins with a dot.
  package var isHidden: Bool { withPlatformString { $0[0] } == CInterop.PlatformChar(UInt8(ascii: ".")) }
}
