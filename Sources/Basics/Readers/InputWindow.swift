import Foundation

/// A window over the content of a file, decompressed, and converted to UTF-8 if it is text.
package struct InputWindow {
  /// The bytes in the window.
  package private(set) var bytes: [UInt8] = []
  /// The index in `bytes` of the next byte to read.
  package var at = 0
  /// The position of `bytes` in the content.
  package private(set) var base = 0
  /// Whether nothing follows the bytes in the window.
  package private(set) var isComplete = false
  private var stream: any ByteStream
  /// The number of bytes used to detect a file's format.
  private static let headCount = 1 << 16
  /// The largest length of a line or a name; no track has a longer one.
  package static let longestToken = 16 << 20

  /// Opens a stream; decompresses gzip and converts UTF-16 to UTF-8.
  ///
  /// - Parameters:
  ///   - inflates: Whether gzip is decompressed. Of an incomplete file that gives the beginning, so only for formats whose
  ///     readers notice that or can use it.
  ///   - decodesXML: Whether XML that declares another encoding is converted too. Tracks don't need it: what is read from
  ///     them is ASCII in all these encodings.
  /// - Throws: `.unsupported` if XML declares an encoding that is not supported.
  package init(_ stream: any ByteStream, inflates: Bool = true, decodesXML: Bool = false) throws(FileError) {
    var stream = stream
    var head = try stream.next() ?? []
    stream = ResumedStream(head, then: stream)
    if inflates, head.starts(with: [0x1F, 0x8B]) {
      stream = try InflatingStream(stream, .gzip)
      head = try stream.next() ?? []
      stream = ResumedStream(head, then: stream)
    }
    if let text = UTF8Stream(stream, head: head) {
      stream = text
    } else if decodesXML, !head.starts(with: [0xEF, 0xBB, 0xBF]), let encoding = try DeclaredEncoding(head[...]) {
      stream = DecodedStream(stream, encoding)
    }
    self.stream = stream
    try fill(InputWindow.headCount)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// Creates a window over `bytes`, unmodified.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isComplete = true
    stream = SourceStream(Bytes([]))
  }

  /// The number of bytes in the window that are still unread.
  package var remaining: Int { bytes.count - at }
  /// The position of the next byte to read in the content.
  package var position: Int { base + at }
  /// The first bytes, by which a format is detected.
  package var head: ArraySlice<UInt8> { bytes[at..<min(at + InputWindow.headCount, bytes.count)] }

  /// Extends the window to at least `count` unread bytes, if the content has so many. Bytes that were read may be
  /// dropped, which invalidates positions in `bytes`.
  package mutating func fill(_ count: Int) throws(FileError) {
    guard remaining < count, !isComplete else { return }
    bytes.removeFirst(at)
    (base, at) = (base + at, 0)
    while bytes.count < count, let piece = try piece() { bytes += piece }
  }

  /// Returns the next piece without adding it to the window; nil at the end.
  package mutating func piece() throws(FileError) -> [UInt8]? {
    let piece = try stream.next()
    isComplete = piece == nil
    return piece
  }

  /// Returns the next line without its end, as a range in `bytes`; nil at the end. `isWhole` is false if the file ends
  /// within the line.
  package mutating func line() throws(FileError) -> (range: Range<Int>, isWhole: Bool)? {
    var searched = 0
    while true {
      if let end = bytes[(at + searched)...].firstIndex(of: 0x0A) {
        defer { at = end + 1 }
        return (PlainText.trimmed(bytes, at..<end), true)
      }
      guard !isComplete else { break }
      searched = remaining
      guard searched < InputWindow.longestToken else {
        throw FileError(.malformed, "a line exceeds \(InputWindow.longestToken >> 20) MB", at: position)
      }
      try fill(searched + 1)
    }
    guard remaining > 0 else { return nil }
    defer { at = bytes.count }
    return (PlainText.trimmed(bytes, at..<bytes.count), false)
  }
}

/// A stream that converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD.
package struct UTF8Stream: ByteStream {
  private var text: any ByteStream
  private let isBig: Bool
  private var isAtStart = true
  /// The incomplete end of the last piece: half of a 16-bit unit or of a surrogate pair.
  private var kept: [UInt8] = []

  /// Returns nil unless `head`, the first bytes of `text`, is UTF-16: detected by a byte order mark, or by a first
  /// character in ASCII.
  package init?(_ text: any ByteStream, head: [UInt8]) {
    guard head.count >= 2 else { return nil }
    let ink: ClosedRange<UInt8> = 0x20...0x7B
    switch (head[0], head[1]) {
    case (0xFE, 0xFF), (0x00, ink): isBig = true
    case (0xFF, 0xFE), (ink, 0x00): isBig = false
    default: return nil
    }
    self.text = text
  }

  package mutating func next() throws(FileError) -> [UInt8]? {
    while let piece = try text.next() {
      kept += piece
      let text = takeText(isLast: false)
      if !text.isEmpty { return text }
    }
    let text = takeText(isLast: true)
    return text.isEmpty ? nil : text
  }

  private mutating func takeText(isLast: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(kept.count / 2)
    for index in stride(from: 0, to: kept.count - 1, by: 2) {
      let (first, second) = (UInt16(kept[index]), UInt16(kept[index + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
    }
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    kept.removeFirst(isLast ? kept.count : units.count * 2)
    if isAtStart, units.first == 0xFEFF { units.removeFirst() }
    isAtStart = false
    var utf8: [UInt8] = []
    utf8.reserveCapacity(units.count)
    _ = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false, into: { utf8.append($0) })
    return utf8
  }
}

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
        .textEncoding, "the file declares the unsupported encoding '\(shown)'", at: 0, remedy: .convertToUTF8)
    }
    characters = (0...255).map { (byte: UInt8) in
      byte < 0x80 ? [byte] : String(bytes: [byte], encoding: encoding).map { Array($0.utf8) } ?? []
    }
  }

  /// Returns the bytes, which are in this encoding, in UTF-8.
  /// - Throws: `.malformed` if a byte has no character in this encoding.
  func utf8(_ bytes: [UInt8]) throws(FileError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      guard !characters[Int(byte)].isEmpty else {
        throw FileError(.malformed, "the file is not valid in the encoding that it declares", remedy: .convertToUTF8)
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
