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
  var isParted: Bool { resources.iptc != nil && iptc == nil }

  /// Returns the splices that replace the IIM data in the resources, or add the first.
  package func splices(replacingIPTC new: [UInt8]) throws(FileError) -> [Splice] {
    let replaced = try resources.replacingIPTC(with: new)
    let changed = if let replaced { replaced } else { try resources.addingIPTC(new) }
    let growth = changed.count - joined.count
    let home = resources.iptc.map { part(holding: $0)?.index } ?? parts.indices.last
    // The padding may be in the next part; a part must have as many bytes as it loses.
    guard let index = home, parts[index].count + growth >= 0
    else {
      throw FileError(.unsupported, "its IPTC data is split across segments, and can't be edited", at: joined.base)
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
