/// Metadata that nothing in a file refers to any more, left behind by earlier edits, ours or other programs'. No reader
/// finds it, but a search of the bytes does.
enum DeadMetadata {
  /// The limit of the search. A larger space is not a leftover of an edit.
  private static let mostSearched = 1 << 30
  /// The step of the search; twice as much is read at once. Only the longest packets are longer than that.
  private static let windowCount = 1 << 20
  private static let mostBlocks = 256

  private static let packetMarks = ["xmpmeta", "<?xpacket", "rdf:RDF"].map { Array($0.utf8) }
  private static let exifMarks: [[UInt8]] = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]]

  /// Returns splices that put zeros over packets and IPTC in `gaps`, and over the data of EXIF blocks that `edit`
  /// erases.
  ///
  /// - Throws: `.refused` when there is more space than can be searched.
  static func erasures(
    in gaps: [Range<Int>], of source: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    try requireSearchable(gaps)
    var blocks = mostBlocks
    var dead: [Range<Int>] = []
    for gap in gaps {
      var goesOn = false
      for start in stride(from: gap.lowerBound, to: gap.upperBound, by: windowCount) {
        let space = try source.bytes(start..<min(gap.upperBound, start + 2 * windowCount))
        guard space.withUnsafeBytes({ $0.contains { $0 != 0 } }) else {
          goesOn = false
          continue
        }
        var found = packets(in: space, &goesOn) + datasets(in: space)
        if edit.erasesDates { found += try DateText.ranges(in: 0..<space.count, of: space) }
        for range in try exif(in: space, by: edit, &blocks) { found.append(range) }
        dead += found.map { $0.lowerBound + start..<$0.upperBound + start }
      }
    }
    return try source.zeroing(dead.merged())
  }

  /// Requires that unused space is small enough to be searched.
  /// - Throws: `.refused` when there is more space than can be searched.
  static func requireSearchable(_ spaces: [Range<Int>]) throws(FileError) {
    guard spaces.reduce(0, { $0 + $1.count }) > mostSearched else { return }
    throw FileError(
      .notErasable, "has too much unused space to search for metadata", at: spaces[0].lowerBound)
  }

  /// Finds text around elements that only XMP has.
  /// - Parameter goesOn: Initially whether a packet continues from the previous window; afterwards whether one
  ///   continues in the next.
  private static func packets(in space: Bytes, _ goesOn: inout Bool) -> [Range<Int>] {
    var found: [Range<Int>] = []
    if goesOn { found.append(0..<space.withUnsafeBytes { $0.firstIndex { !isText($0) } ?? $0.count }) }
    for mark in packetMarks {
      var at = 0
      while let hit = space.firstIndex(of: mark, from: at) {
        let run = space.withUnsafeBytes { bytes in
          var (start, end) = (hit, hit)
          while start > 0, isText(bytes[start - 1]) { start -= 1 }
          while end < bytes.count, isText(bytes[end]) { end += 1 }
          return start..<end
        }
        found.append(run)
        at = run.upperBound
      }
    }
    goesOn = found.contains { $0.upperBound == space.count }
    return found
  }

  private static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 }

  /// Finds sequences of IIM datasets (IIM 4.2, 1.5): at least two, of the first records.
  private static func datasets(in space: Bytes) -> [Range<Int>] {
    space.withUnsafeBytes { bytes in
      var found: [Range<Int>] = []
      var at = 0
      while at + 5 <= bytes.count {
        guard bytes[at] == 0x1C else {
          at += 1
          continue
        }
        var (end, count) = (at, 0)
        while end + 5 <= bytes.count, bytes[end] == 0x1C, (1...9).contains(bytes[end + 1]), bytes[end + 3] < 0x80 {
          let next = end + 5 + Int(bytes[end + 3]) << 8 + Int(bytes[end + 4])
          guard next <= bytes.count else { break }
          (end, count) = (next, count + 1)
        }
        if count >= 2 { found.append(at..<end) }
        at = max(at + 1, count >= 2 ? end : 0)
      }
      return found
    }
  }

  /// Finds the contents of EXIF blocks that begin in the first half of `space`: positions with their directories, and
  /// dates.
  /// - Throws: `.refused` when there are more blocks than the limit.
  private static func exif(
    in space: Bytes, by edit: MetadataEdit, _ left: inout Int
  ) throws(FileError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for mark in exifMarks {
      var at = 0
      while let start = space.firstIndex(of: mark, from: at), start < windowCount {
        at = start + mark.count
        guard let block = try? TIFFBlock(space, start..<space.count) else { continue }
        let holds = edit.erasesPlaces && block.gps != nil || edit.erasesDates && EXIF.holdsDate(block)
        guard holds else { continue }
        left -= 1
        guard left >= 0 else {
          throw FileError(
            .notErasable, "has too much old metadata in its unused space to erase", at: space.base + start)
        }
        let splices = (try? InPlaceErasing.splices(inEXIF: start..<space.count, of: space, by: edit)) ?? []
        found += splices.filter { $0.bytes.allSatisfy { $0 == 0 } }.map(\.range)
        guard edit.erasesPlaces, let gps = block.gps else { continue }
        let values = gps.entries.compactMap(\.value).filter { $0.count > block.wordCount }
        found += values.map { $0.lowerBound + start..<$0.upperBound + start }
      }
    }
    return found
  }
}
