import SystemPackage

/// Paths and texts in a form that is safe to print.
extension FilePath {
  /// The path's bytes, without the final NUL.
  var rawBytes: [UInt8] {
    withPlatformString { start in
      Array(UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// Creates a path from bytes, UTF-8 or not, up to the first NUL.
  init(rawBytes: some Sequence<UInt8>) {
    let bytes = rawBytes.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0]
    self = bytes.withUnsafeBufferPointer { $0.baseAddress.map(FilePath.init(platformString:)) ?? FilePath() }
  }

  /// The path in a form that is safe to print: one line, without terminal commands.
  var printable: String {
    var text = ""
    var rest = rawBytes[...]
    while !rest.isEmpty {
      let good = rest.validUTF8Prefix
      text += String(decoding: good, as: UTF8.self).printable
      rest = rest.dropFirst(good.count)
      if let byte = rest.popFirst() { text += "\\x" + String(byte, radix: 16, uppercase: true) }
    }
    return text
  }
}

extension FilePath.Component {
  /// The name in a form that is safe to print.
  var printable: String { FilePath(root: nil, [self]).printable }
}

extension String {
  /// The text with control characters, and characters that change the direction of text, shown as Swift escapes.
  var printable: String {
    guard unicodeScalars.contains(where: \.isHostile) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isHostile: text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isHostile: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    // Format characters hide and reorder text (U+202E); the two joiners are needed in scripts and emoji.
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// The longest prefix that is valid UTF-8.
  var validUTF8Prefix: ArraySlice<UInt8> {
    var decoder = UTF8()
    var iterator = makeIterator()
    var end = startIndex
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { end += UTF8.width(scalar) }
    return self[startIndex..<end]
  }
}

extension Int {
  /// Returns the number with its noun: `1 place`, `2 places`.
  func pluralized(_ one: String, _ many: String? = nil) -> String { "\(self) \(self == 1 ? one : many ?? one + "s")" }
}
