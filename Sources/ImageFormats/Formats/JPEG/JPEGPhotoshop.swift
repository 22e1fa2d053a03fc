/// Photoshop's image resources in the APP13 segments of a JPEG, which may continue each other.
package struct JPEGPhotoshop {
  /// The ranges of the parts in the file, each after its segment's `Photoshop 3.0\0`.
  private let parts: [Range<Int>]
  private let joined: Bytes
  package let resources: PhotoshopResources

  /// Reads the resources; returns nil when the JPEG has no resources.
  package init?(_ segments: JPEGSegments, _ source: any ByteSource) throws(FileError) {
    parts = segments.all.filter { $0.kind == .photoshop }
      .map { $0.payload.lowerBound + JPEGSegment.photoshopHeader.count..<$0.payload.upperBound }
    guard let first = parts.first else { return nil }
    var bytes = try source.bytes(first)
    if parts.count > 1 {
      var all = bytes.array
      for part in parts.dropFirst() { all += try source.bytes(part).array }
      bytes = Bytes(all, base: first.lowerBound)
    }
    joined = bytes
    resources = try PhotoshopResources(bytes)
  }

  /// The range of the IIM data in the file; nil when it is missing, or split between segments.
  package var iptc: Range<Int>? {
    guard let range = resources.iptc, let (index, start) = part(holding: range) else { return nil }
    let offset = parts[index].lowerBound - start
    return range.lowerBound + offset..<range.upperBound + offset
  }

  /// Whether IIM data is split between segments.
  var isSplit: Bool { resources.iptc != nil && iptc == nil }

  /// Returns the splices that replace the IIM data in the resources, or add the first.
  package func splices(replacingIPTC new: [UInt8]) throws(FileError) -> [Splice] {
    let replaced = try resources.replacingIPTC(with: new)
    let changed = if let replaced { replaced } else { try resources.addingIPTC(new) }
    let growth = changed.count - joined.count
    let home = resources.iptc.map { part(holding: $0)?.index } ?? parts.indices.last
    // The padding may be in the next part; a part must have as many bytes as it loses.
    guard let index = home, parts[index].count + growth >= 0
    else {
      throw FileError(.photoshopData, "IPTC data is split across segments and can't be edited", at: joined.base)
    }
    var splices: [Splice] = []
    var (oldStart, newStart) = (0, 0)
    for (number, part) in parts.enumerated() {
      let old = try joined.bytes(at: oldStart, count: part.count).array
      let bytes = Array(changed[newStart..<newStart + part.count + (number == index ? growth : 0)])
      (oldStart, newStart) = (oldStart + old.count, newStart + bytes.count)
      if bytes == old { continue }
      splices.append(Splice(part, bytes))
      guard bytes.count != part.count else { continue }
      let header = JPEGSegment.photoshopHeader.count
      let length = part.lowerBound - header - 2
      splices.append(Splice(length..<length + 2, try JPEGSegment.length(header + bytes.count)))
    }
    return splices
  }

  /// Returns the part that holds a whole range of the joined bytes, and the part's start in them.
  private func part(holding range: Range<Int>) -> (index: Int, start: Int)? {
    var start = 0
    for (index, part) in parts.enumerated() {
      if range.lowerBound >= start, range.upperBound <= start + part.count { return (index, start) }
      start += part.count
    }
    return nil
  }
}

/// Data that archive programs and Insta360's cameras append to a JPEG, as ExifTool describes it. It is not read, but
/// may hold IPTC data or positions.
enum JPEGTrailer {
  private static let mostParts = 64

  /// Returns the name of the last trailer, if it holds IPTC data, and the offset of its index.
  static func texts(of source: any ByteSource) throws(FileError) -> (name: String, offset: Int)? {
    guard source.count >= 12 else { return nil }
    let tail = try source.bytes(source.count - 12..<source.count)
    if try MovieTelemetry.endsWithInsta360(source) { return ("Insta360", source.count - tail.count) }
    if tail.has(Array("AXS".utf8)) { return try afcp(tail, source).map { ("AFCP", $0) } }
    return try fotoStation(source).map { ("FotoStation", $0) }
  }

  /// Reads the AXS File Concatenation Protocol: its end records the start of the list of parts, counted from the file's
  /// start.
  private static func afcp(_ tail: Bytes, _ source: any ByteSource) throws(FileError) -> Int? {
    let order: Bytes.Order = try tail.u8(3) == 0x21 ? .big : .little
    let start = Int(try tail.u32(4, order))
    let head = try source.prefix(at: min(start, source.count), count: 12 * (mostParts + 1))
    // If the list is missing or incomplete, its parts may be anything.
    guard head.has(try tail.bytes(0..<4).array), head.count >= 12 else { return source.count - 12 }
    let count = Int(try head.u16(6, order))
    guard count <= head.count / 12 - 1 else { return start }
    return (0..<count).first { head.has(Array("IPTC".utf8), at: 12 + 12 * $0) }.map { start + 12 + 12 * $0 }
  }

  /// Reads consecutive parts, each with its kind and length at its end.
  private static func fotoStation(_ source: any ByteSource) throws(FileError) -> Int? {
    var end = source.count
    for _ in 0..<mostParts where end >= 10 {
      let mark = try source.bytes(end - 10..<end)
      let count = Int(try mark.u32(2, .big))
      guard mark.has([0xA1, 0xB2, 0xC3, 0xD4], at: 6), (10...end).contains(count) else { return nil }
      if try mark.u16(0, .big) == 1 { return end - count }
      end -= count
    }
    return nil
  }
}
