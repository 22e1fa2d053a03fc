import Foundation

/// A single-byte encoding that an XML document declares instead of UTF-8.
struct DeclaredEncoding {
  /// The UTF-8 character of each byte; empty if the byte has no character.
  private let characters: [[UInt8]]

  /// Returns nil if the document declares nothing, UTF-8, or an encoding that it can't have.
  /// - Parameter head: The first bytes of the document.
  /// - Throws: `.unsupported` if the encoding is not supported.
  init?(_ head: ArraySlice<UInt8>) throws(FileError) {
    let declaration = String(decoding: head.prefix { $0 != UInt8(ascii: ">") }.prefix(1_024), as: UTF8.self)
    guard declaration.hasPrefix("<?xml"),
      let name = declaration.firstMatch(of: #/\sencoding\s*=\s*["']([^"']*)["']/#)?.1.lowercased(),
      // A declaration that can be read byte by byte is not in UTF-16.
      !["utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "unicode"].contains(name)
    else { return nil }
    guard let encoding = Self.encodings[name] else {
      let shown = String(name.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(40).map(Character.init))
      throw FileError(
        .unsupported, "the file says that it is in '\(shown)', which isn't read", at: 0, remedy: .convertToUTF8)
    }
    characters = (0...255).map { (byte: UInt8) in
      byte < 0x80 ? [byte] : String(bytes: [byte], encoding: encoding).map { Array($0.utf8) } ?? []
    }
  }

  /// - Throws: `.malformed` if a byte has no character in this encoding.
  func utf8(_ bytes: [UInt8]) throws(FileError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      guard !characters[Int(byte)].isEmpty else {
        throw FileError(.malformed, "the file isn't in the encoding that it declares", remedy: .convertToUTF8)
      }
      text += characters[Int(byte)]
    }
    return text
  }

  /// The encodings by their IANA names in lower case. Foundation's values are those of Core Foundation with the highest
  /// bit set.
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

/// A stream that converts the encoding that an XML document declares to UTF-8.
struct DecodedStream: ByteStream {
  private var text: any ByteStream
  private let encoding: DeclaredEncoding

  init(_ text: any ByteStream, _ encoding: DeclaredEncoding) {
    self.text = text
    self.encoding = encoding
  }

  mutating func next() throws(FileError) -> [UInt8]? {
    // A piece is never empty, and neither is the text of a byte.
    guard let piece = try text.next() else { return nil }
    return try encoding.utf8(piece)
  }
}
