/// The capture time in the blocks that Samsung's phones append to JPEG and HEIC: milliseconds since 1970, in thirteen
/// digits.
package enum SamsungTime {
  private static let name = Array("Image_UTC_Data".utf8)
  private static let digitCount = 13

  /// Returns splices that put zeros over every such number in `range`.
  package static func erasures(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    var erasures: [Splice] = []
    try source.search(name, in: range) { found throws(FileError) in
      let digits = found + name.count..<found + name.count + digitCount
      guard digits.upperBound <= range.upperBound,
        try source.bytes(digits).array.allSatisfy({ (0x30...0x39).contains($0) })
      else { return }
      erasures.append(.erasing(digits))
    }
    return erasures
  }

  /// Returns the range of the number in a block that ends at `end`; nil if it isn't found. The block's last word is
  /// `SEFT`. Before it is the length of its directory (`SEFH`), whose entries count backwards from there.
  package static func place(inBlockTo end: Int, of source: any ByteSource) throws(FileError) -> Range<Int>? {
    guard end >= 32 else { return nil }
    let tail = try source.bytes(at: end - 8, count: 8)
    let length = Int(try tail.u32(0, .little))
    let start = end - 8 - length
    guard tail.has(Array("SEFT".utf8), at: 4), (12...longestDirectory).contains(length), start >= 0 else { return nil }
    let directory = try source.bytes(at: start, count: length)
    guard directory.has(Array("SEFH".utf8)) else { return nil }
    for entry in stride(from: 12, to: length - 11, by: 12) {
      let (distance, size) = (Int(try directory.u32(entry + 4, .little)), Int(try directory.u32(entry + 8, .little)))
      guard size == headCount + name.count + digitCount, distance >= size, distance <= start else { continue }
      let block = try source.bytes(at: start - distance, count: size)
      guard block.has(name, at: headCount) else { continue }
      let digits = start - distance + headCount + name.count
      return digits..<digits + digitCount
    }
    return nil
  }

  /// The length of an entry's kind and of its name's length.
  private static let headCount = 8
  /// The limit of the directory. Phones write about a dozen entries of 12 bytes.
  private static let longestDirectory = 65_536
  /// The largest difference in seconds between the shutter and the second time that phones write.
  private static let shutterSeconds: Int64 = 60
  private static let widestZone: Int64 = 14 * 3_600

  /// Returns the number moved with the photo's date, if it equals `old`; nil if it shows another time.
  package static func moved(
    _ place: Range<Int>, from old: CaptureTime, to new: CaptureTime, in source: any ByteSource
  ) throws(FileError) -> Splice? {
    let text = String(decoding: try source.bytes(place).array, as: UTF8.self)
    guard let milliseconds = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let seconds = milliseconds / 1_000
    let distance: Int64
    if let before = old.instant, let after = new.instant {
      guard abs(before.seconds - seconds) <= shutterSeconds else { return nil }
      distance = after.seconds - before.seconds
    } else {
      // In some zone it is that time.
      let ahead = old.civil.secondsSince1970 - seconds
      let rest = abs(ahead) % 900
      guard abs(ahead) <= widestZone, min(rest, 900 - rest) <= shutterSeconds else { return nil }
      let zone = Int64((Double(ahead) / 900).rounded()) * 900
      let after = new.instant?.seconds ?? new.civil.secondsSince1970 - zone
      distance = after - (old.civil.secondsSince1970 - zone)
    }
    let digits = String(max(0, milliseconds + distance * 1_000))
    return digits.utf8.count == digitCount ? Splice(place, Array(digits.utf8)) : nil
  }
}

/// The country code in the blocks that Samsung's phones append to JPEG and HEIC: a mobile country code (ITU-T E.212) in
/// digits.
enum SamsungCountry {
  private static let name = Array("MCC_Data".utf8)
  /// A country code has three digits, a network code at most three more.
  private static let longest = 6

  /// Returns splices that put zeros over every such number in `range`.
  static func erasures(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    var erasures: [Splice] = []
    try source.search(name, in: range) { found throws(FileError) in
      let start = found + name.count
      let digits = try source.prefix(at: start, count: min(longest, range.upperBound - start)).array
        .prefix { (0x30...0x39).contains($0) }
      if digits.count >= 3 { erasures.append(.erasing(start..<start + digits.count)) }
    }
    return erasures
  }
}

/// The block that Canon's Digital Photo Professional appends to CRW, CR2, JPEG and TIFF files, as ExifTool describes
/// it: picture recipes, and XMP, which a CRW file has nowhere else. Numbers are big-endian.
enum CanonVRD {
  private static let signature = Array("CANON OPTIONAL DATA\0".utf8)
  private static let (headCount, footCount) = (28, 64)
  private static let xmp: UInt32 = 0xFFFF_00F6
  /// Programs write at most four.
  private static let mostBlocks = 64

  /// The XMP packets in the block, if the file ends with one. The block is a sequence of records between a header and a
  /// footer; each record has a kind and a length.
  static func packets(of source: any ByteSource) -> [Range<Int>] {
    let end = source.count - footCount
    guard end >= headCount, let foot = try? source.bytes(at: end, count: footCount), foot.has(signature),
      let length = try? foot.u32(signature.count, .big), Int(length) <= end - headCount
    else { return [] }
    var at = end - Int(length)
    var packets: [Range<Int>] = []
    for _ in 0..<mostBlocks {
      guard at + 8 <= end, let head = try? source.bytes(at: at, count: 8), let kind = try? head.u32(0, .big),
        let count = try? head.u32(4, .big), Int(count) <= end - at - 8
      else { break }
      at += 8 + Int(count)
      if kind == xmp, (1...TIFFBlock.longestValue).contains(Int(count)) { packets.append(at - Int(count)..<at) }
    }
    return packets
  }
}
