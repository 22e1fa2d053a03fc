/// Writes a zip archive (APPNOTE.TXT 6.3, Zip64 where it must be) whose files stand in it as they are: pictures don't
/// pack. It goes out in pieces, and the same files make the same bytes, whenever they are written.
struct StoredZip {
  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  private var offset: UInt64 = 0
  /// 1 January 1980, the first day that the format knows: no file has a date here.
  private static let date: UInt16 = 1 << 5 | 1
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11
  private static let (most16, most32) = (UInt64(UInt16.max), UInt64(UInt32.max))

  /// A file's bytes in the archive; it must be less than 4 GiB.
  mutating func file(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let name = Array(name.utf8)
    let isFar = offset >= StoredZip.most32
    var facts = LittleEndian()
    facts.add(isFar ? 45 : 20, StoredZip.flags, 0, 0, StoredZip.date)
    facts.add(CRC32.of(content), UInt32(content.count), UInt32(content.count))
    facts.add(UInt16(name.count))
    var local = LittleEndian(signature: 0x0403_4B50)
    local.bytes += facts.bytes
    local.add(UInt16(0))
    local.bytes += name + content
    var entry = LittleEndian(signature: 0x0201_4B50)
    entry.add(isFar ? UInt16(45) : 20)
    entry.bytes += facts.bytes
    entry.add(isFar ? UInt16(12) : 0, 0, 0, 0)
    entry.add(0, UInt32(min(offset, StoredZip.most32)))
    entry.bytes += name
    if isFar {
      entry.add(UInt16(1), 8)
      entry.add(offset)
    }
    directory += entry.bytes
    count += 1
    offset += UInt64(local.bytes.count)
    return local.bytes
  }

  /// The directory, which stands behind all files.
  func end() -> [UInt8] {
    var end = LittleEndian()
    let size = UInt64(directory.count)
    if count >= StoredZip.most16 || offset >= StoredZip.most32 {
      end = LittleEndian(signature: 0x0606_4B50)
      end.add(UInt64(44))
      end.add(UInt16(45), 45)
      end.add(UInt32(0), 0)
      end.add(count, count, size, offset)
      end.add(0x0706_4B50, UInt32(0))
      end.add(offset + size)
      end.add(UInt32(1))
    }
    end.add(UInt32(0x0605_4B50))
    let few = UInt16(min(count, StoredZip.most16))
    end.add(0, 0, few, few)
    end.add(UInt32(min(size, StoredZip.most32)), UInt32(min(offset, StoredZip.most32)))
    end.add(UInt16(0))
    return directory + end.bytes
  }
}

private struct LittleEndian {
  var bytes: [UInt8] = []

  init() {}
  init(signature: UInt32) { add(signature) }

  mutating func add<Number: FixedWidthInteger>(_ numbers: Number...) {
    for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
  }
}

/// The check sum of zip (ISO 3309, reflected polynomial 0xEDB88320).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
  }
}
