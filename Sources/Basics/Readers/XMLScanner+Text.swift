extension XMLScanner {
  /// Returns the name at `range` as text.
  package func text(_ range: Range<Int>) -> Substring { Substring(decoding: bytes[range], as: UTF8.self) }

  /// Returns the characters at `range`, with the five built-in entities and character references resolved.
  ///
  /// - Throws: `.malformed` if there is another entity.
  package func unescaped(_ range: Range<Int>) throws(FileError) -> String {
    String(decoding: try unescapedBytes(range), as: UTF8.self)
  }

  /// Returns the result of `unescaped` in UTF-8, as far as the document is.
  package func unescapedBytes(_ range: Range<Int>) throws(FileError) -> ArraySlice<UInt8> {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return bytes[range] }
    var result: [UInt8] = []
    var i = range.lowerBound
    while i < range.upperBound {
      guard bytes[i] == UInt8(ascii: "&") else {
        result.append(bytes[i])
        i += 1
        continue
      }
      guard let semicolon = bytes[i..<min(range.upperBound, i + 12)].firstIndex(of: UInt8(ascii: ";")),
        let scalar = XMLScanner.entity(String(decoding: bytes[i + 1..<semicolon], as: UTF8.self))
      else { throw FileError(.malformed, "XML with an unknown entity", at: i) }
      result += Array(String(Character(scalar)).utf8)
      i = semicolon + 1
    }
    return result[...]
  }

  /// Returns `text` escaped for use in an attribute or between tags.
  package static func escaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += Array("&amp;".utf8)
      case UInt8(ascii: "<"): result += Array("&lt;".utf8)
      case UInt8(ascii: ">"): result += Array("&gt;".utf8)
      case UInt8(ascii: "\""): result += Array("&quot;".utf8)
      case UInt8(ascii: "'"): result += Array("&apos;".utf8)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first != "+", let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), value != 0 else {
        return nil
      }
      return Unicode.Scalar(value)
    }
  }
}
