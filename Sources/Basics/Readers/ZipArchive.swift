/// The files in a zip archive (APPNOTE.TXT 6.3, including Zip64), found through the directory at its end.
package struct ZipArchive {
  /// A file in the archive.
  package struct Entry {
    package let name: String
    fileprivate let flags, method: UInt16
    fileprivate let packed, unpacked: Int
    fileprivate let header: Int
    fileprivate let crc: UInt32
  }

  package let entries: [Entry]
  private let source: any ByteSource
  private static let (localHeader, centralHeader) = ([UInt8]("PK\u{3}\u{4}".utf8), [UInt8]("PK\u{1}\u{2}".utf8))
  private static let (endRecord, zip64Locator) = ([UInt8]("PK\u{5}\u{6}".utf8), [UInt8]("PK\u{6}\u{7}".utf8))
  private static let mostEntries = 100_000

  /// Whether `source` begins like a zip archive.
  package static func recognizes(_ source: any ByteSource) -> Bool {
    ((try? source.prefix(at: 0, count: 4))?.has(localHeader)) ?? false
  }

  package init(_ source: any ByteSource) throws(FileError) {
    self.source = source
    // The end record has 22 bytes, and a comment of at most 65,535.
    let tail = try source.prefix(at: source.count - 65_557, count: 65_557)
    guard let end = (0...max(0, tail.count - 22)).last(where: { tail.has(ZipArchive.endRecord, at: $0) }) else {
      throw FileError(.truncated, "the zip archive is truncated: its central directory is missing", at: source.count)
    }
    var (at, size) = (Int(try tail.u32(end + 16, .little)), Int(try tail.u32(end + 12, .little)))
    if end >= 20, tail.has(ZipArchive.zip64Locator, at: end - 20) {
      guard let place = Int(exactly: try tail.u64(end - 12, .little)) else { throw ZipArchive.damaged(tail.base + end) }
      let record = try source.bytes(at: place, count: 56)
      guard let start = Int(exactly: try record.u64(48, .little)), let count = Int(exactly: try record.u64(40, .little))
      else { throw ZipArchive.damaged(place) }
      (at, size) = (start, count)
    }
    guard size <= 64 << 20 else {
      throw FileError(.suspiciousArchive, "the central directory of the zip archive is suspiciously large", at: at)
    }
    let directory = try source.bytes(at: at, count: size)
    var entries: [Entry] = []
    var offset = 0
    while directory.has(ZipArchive.centralHeader, at: offset), entries.count < ZipArchive.mostEntries {
      let lengths = try [28, 30, 32].map { (field) throws(FileError) in Int(try directory.u16(offset + field, .little))
      }
      let name = try directory.bytes(at: offset + 46, count: lengths[0])
      let extra = try directory.bytes(at: offset + 46 + lengths[0], count: lengths[1])
      entries.append(try ZipArchive.entry(directory, offset, name, extra))
      offset += 46 + lengths.reduce(0, +)
    }
    // Each entry is decompressed separately: overlapping entries would turn a small file into a lot of work. All
    // entries, each with a header of at least 30 bytes, must fit in front of the directory.
    var unclaimed = at
    for entry in entries {
      unclaimed -= 30
      guard entry.packed <= unclaimed else {
        throw FileError(.suspiciousArchive, "entries of the zip archive overlap", at: at)
      }
      unclaimed -= entry.packed
    }
    self.entries = entries
  }

  private static func entry(
    _ directory: Bytes, _ offset: Int, _ name: Bytes, _ extra: Bytes
  ) throws(FileError) -> Entry {
    var packed = Int(try directory.u32(offset + 20, .little))
    var header = Int(try directory.u32(offset + 42, .little))
    var unpacked = Int(try directory.u32(offset + 24, .little))
    // Zip64: values that don't fit into 32 bits are in extra field 1, in this order.
    var at = 0
    while at + 4 <= extra.count {
      let (id, size) = (try extra.u16(at, .little), Int(try extra.u16(at + 2, .little)))
      if id == 1 {
        var field = at + 4
        if unpacked == 0xFFFF_FFFF {
          unpacked = Int(clamping: try extra.u64(field, .little))
          field += 8
        }
        if packed == 0xFFFF_FFFF {
          packed = Int(clamping: try extra.u64(field, .little))
          field += 8
        }
        if header == 0xFFFF_FFFF { header = Int(clamping: try extra.u64(field, .little)) }
      }
      at += 4 + size
    }
    return Entry(
      name: String(decoding: name.array, as: UTF8.self), flags: try directory.u16(offset + 8, .little),
      method: try directory.u16(offset + 10, .little), packed: packed, unpacked: unpacked, header: header,
      crc: try directory.u32(offset + 16, .little))
  }

  /// Returns a stream of the decompressed content of `entry` that throws at its end if the content isn't complete.
  package func checkedStream(_ entry: Entry) throws(FileError) -> any ByteStream {
    CheckedStream(content: try stream(entry), entry: entry)
  }

  /// Returns a stream of the decompressed content of `entry`.
  package func stream(_ entry: Entry) throws(FileError) -> any ByteStream {
    guard entry.flags & 1 == 0 else { throw FileError(.unknownPacking, "is encrypted", at: entry.header) }
    let header = try source.bytes(at: entry.header, count: 30)
    guard header.has(ZipArchive.localHeader) else { throw ZipArchive.damaged(entry.header) }
    let start = entry.header + 30 + Int(try header.u16(26, .little)) + Int(try header.u16(28, .little))
    guard start <= source.count, entry.packed <= source.count - start else { throw ZipArchive.damaged(entry.header) }
    let packed = SourceStream(source, start..<start + entry.packed)
    switch entry.method {
    case 0: return packed
    case 8: return try InflatingStream(packed, .deflate)
    default:
      throw FileError(
        .unknownPacking, "is compressed with a method other than deflate", at: entry.header, remedy: .unpack)
    }
  }

  private static func damaged(_ offset: Int) -> FileError {
    FileError(.malformed, "the central directory of the zip archive is corrupt", at: offset)
  }
}

/// The content of a file in a zip archive, compared with the size and checksum in the directory.
private struct CheckedStream: ByteStream {
  var content: any ByteStream
  let entry: ZipArchive.Entry
  private var (count, crc) = (0, UInt32(0))

  init(content: any ByteStream, entry: ZipArchive.Entry) { (self.content, self.entry) = (content, entry) }

  mutating func next() throws(FileError) -> [UInt8]? {
    if let piece = try content.next() {
      count += piece.count
      crc = Bytes(piece).crc(after: crc)
      guard count <= entry.unpacked else { throw damage }
      return piece
    }
    guard count == entry.unpacked, crc == entry.crc else { throw damage }
    return nil
  }

  private var damage: FileError {
    FileError(.malformed, "a file in the zip archive is corrupt or truncated", at: entry.header)
  }
}
