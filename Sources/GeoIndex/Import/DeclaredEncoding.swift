import Foundation

/// The encoding that an XML document declares, if it isn't UTF-8: one whose characters are single bytes.
struct DeclaredEncoding {
  /// Each byte's character in UTF-8; empty where there is none.
  private let characters: [[UInt8]]

  /// Nil if the document says nothing, or UTF-8, or what it can't be.
  /// - Parameter head: its first bytes.
  /// - Throws: `.badFile` for an encoding that isn't known.
  init?(_ head: ArraySlice<UInt8>) throws(GeoIndexError) {
    let declaration = String(decoding: head.prefix { $0 != UInt8(ascii: ">") }.prefix(1_024), as: UTF8.self)
    guard declaration.hasPrefix("<?xml"),
      let name = declaration.firstMatch(of: #/\sencoding\s*=\s*["']([^"']*)["']/#)?.1.lowercased(),
      // Who can read a declaration of UTF-16 byte by byte, knows that it isn't.
      !["utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "unicode"].contains(name)
    else { return nil }
    guard let encoding = Self.encodings[name] else {
      let shown = String(name.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(40).map(Character.init))
      throw GeoIndexError(.badFile, "the file says that it is in '\(shown)', which isn't read: save it as UTF-8")
    }
    characters = (0...255).map { (byte: UInt8) in
      byte < 0x80 ? [byte] : String(bytes: [byte], encoding: encoding).map { Array($0.utf8) } ?? []
    }
  }

  /// - Throws: `.badFile` if a byte is no character.
  func utf8(_ bytes: ArraySlice<UInt8>) throws(GeoIndexError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      guard !characters[Int(byte)].isEmpty else {
        throw GeoIndexError(.badFile, "the file isn't in the encoding that it declares: save it as UTF-8")
      }
      text += characters[Int(byte)]
    }
    return text
  }

  /// By their IANA names in lower case. Foundation's numbers for them are Core Foundation's with the highest bit set.
  private static let encodings: [String: String.Encoding] = {
    var numbers: [String: UInt] = [
      "latin1": 0x201, "l1": 0x201, "cp1252": 0x500, "windows-1252": 0x500, "windows-1250": 0x501, "cp1250": 0x501,
      "windows-1251": 0x502, "cp1251": 0x502, "koi8-r": 0xA02, "koi8-u": 0xA08,
    ]
    for part in 1...16 where part != 12 {
      numbers["iso-8859-\(part)"] = 0x200 + UInt(part)
      numbers["iso8859-\(part)"] = 0x200 + UInt(part)
    }
    for page in 3...8 { numbers["windows-125\(page)"] = 0x500 + UInt(page) }
    return numbers.mapValues { String.Encoding(rawValue: 0x8000_0000 | $0) }
  }()
}
