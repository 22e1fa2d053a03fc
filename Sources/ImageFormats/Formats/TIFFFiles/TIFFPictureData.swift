/// The coding of a TIFF's pictures, and checks whether their data may contain text.
extension TIFFBlock {
  /// Requires that the picture's data are only samples.
  /// - Throws: `.refused` when the data of the picture may hold more than samples.
  func requirePlainData(of page: TIFFDirectory, in source: any ByteSource) throws(FileError) {
    let coder = integer(of: TIFFTag.compression, in: page) ?? 1
    let isJPEG = TIFFStructure.jpegCoders.contains(coder)
    guard isJPEG || TIFFStructure.plainCoders.contains(coder) else {
      throw FileError(
        .notErasable, "has a picture with compression \(coder), which may contain metadata",
        at: page.range.lowerBound)
    }
    try requireWholeData(of: page, isUncoded: coder == 1)
    if let tables = page[TIFFTag.jpegTables]?.value { try TIFFBlock.requirePlain(jpeg: tables, in: source) }
    let streams = data(of: page, TIFFTag.jpegOffset, TIFFTag.jpegByteCount)
    for stream in streams { try TIFFBlock.requirePlain(jpeg: stream, in: source) }
    guard isJPEG, streams.isEmpty else { return }
    for (offsets, counts) in TIFFBlock.dataTags {
      for part in data(of: page, offsets, counts) { try TIFFBlock.requirePlain(jpeg: part, in: source) }
    }
  }

  /// Checks that every byte of the picture is known, so that erasing everything else leaves it whole. Old writers omit
  /// lengths, record less than readers take, or point to tables of old JPEG, which have no length.
  private func requireWholeData(of page: TIFFDirectory, isUncoded: Bool) throws(FileError) {
    var parts: [Range<Int>] = []
    var isKnown = !TIFFStructure.jpegTableOffsets.contains { page[$0] != nil }
    for (offsets, counts) in TIFFBlock.dataTags + [(TIFFTag.jpegOffset, TIFFTag.jpegByteCount)] {
      guard page[offsets] != nil || page[counts] != nil else { continue }
      let starts = page[offsets].map(integers(of:)) ?? []
      let lengths = page[counts].map(integers(of:)) ?? []
      isKnown = isKnown && starts.count == page[offsets]?.count && lengths.count == starts.count
      isKnown = isKnown && zip(starts, lengths).allSatisfy { $0 == 0 || $1 > 0 }
      parts += data(of: page, offsets, counts)
    }
    isKnown = isKnown && !(parts.isEmpty && page[TIFFTag.imageWidth] != nil)
    let count = parts.reduce(0.0) { $0 + Double($1.count) }
    guard isKnown, !isUncoded || count >= uncodedCount(of: page, parts: parts.count) else {
      throw FileError(
        .notErasable, "has a picture whose data can't be located completely",
        at: page.range.lowerBound)
    }
  }

  /// Returns the greatest number of bytes of the samples, including all existing tiles.
  private func uncodedCount(of page: TIFFDirectory, parts: Int) -> Double {
    func number(_ tag: UInt16) -> Int? { integer(of: tag, in: page) }
    let samples = max(1, number(TIFFTag.samplesPerPixel) ?? 1)
    let bits = page[TIFFTag.bitsPerSample].map(integers(of:)) ?? [1]
    let all = bits.count == samples ? bits.map(Double.init).reduce(0, +) : Double(bits.first ?? 1) * Double(samples)
    let isPlanar = number(TIFFTag.planarConfiguration) == 2
    if let width = number(TIFFTag.tileWidth), let height = number(TIFFTag.tileLength) {
      let depth = isPlanar ? Double(bits.min() ?? 1) : all
      return (Double(width) * depth / 8).rounded(.up) * Double(height) * Double(parts)
    }
    guard let width = number(TIFFTag.imageWidth), let height = number(TIFFTag.imageLength) else { return 0 }
    return Double(height) * (Double(width) * all / 8).rounded(.up)
  }

  private static let dataTags = [
    (TIFFTag.stripOffsets, TIFFTag.stripByteCounts), (TIFFTag.tileOffsets, TIFFTag.tileByteCounts),
  ]

  private func data(of page: TIFFDirectory, _ offsets: UInt16, _ counts: UInt16) -> [Range<Int>] {
    guard let start = page[offsets], let length = page[counts] else { return [] }
    return zip(integers(of: start), integers(of: length)).filter { $1 > 0 && $0 <= count && $1 <= count - $0 }
      .map { $0..<$0 + $1 }
  }

  /// Returns strips, tiles and streams of JPEG-coded pictures, and the tables that they share, each once. Each may have
  /// segments like a JPEG file.
  /// - Throws: `.refused` when they are nested more deeply than any writer does: reading them would never end.
  package func jpegParts(of pages: [TIFFDirectory]) throws(FileError) -> [Range<Int>] {
    var seen: Set<Range<Int>> = []
    let parts = pages.flatMap { page -> [Range<Int>] in
      let coder = integer(of: TIFFTag.compression, in: page) ?? 1
      guard TIFFStructure.jpegCoders.contains(coder) || page[TIFFTag.jpegOffset] != nil else { return [] }
      let tags = TIFFBlock.dataTags + [(TIFFTag.jpegOffset, TIFFTag.jpegByteCount)]
      let parts = tags.flatMap { data(of: page, $0, $1) } + [page[TIFFTag.jpegTables]?.value].compactMap(\.self)
      return parts.filter { seen.insert($0).inserted }
    }
    guard parts.reduce(0, { $0 + $1.count }) <= 4 * count else {
      throw FileError(.notErasable, "has JPEG-compressed pictures that overlap")
    }
    return parts
  }

  /// Checks only the segments of JPEG-coded pictures.
  func requirePlainJPEG(in pages: [TIFFDirectory], _ source: any ByteSource) throws(FileError) {
    for part in try jpegParts(of: pages) { _ = try TIFFBlock.scan(ofPlain: part, in: source) }
  }

  private static func requirePlain(jpeg range: Range<Int>, in source: any ByteSource) throws(FileError) {
    let part = try SourcePart(source, range)
    let end = try JPEGScan.end(from: scan(ofPlain: range, in: source), of: part)
    guard try part.zeroing([end..<part.count]).isEmpty else {
      throw FileError(
        .notErasable, "has unknown data after a JPEG-compressed picture", at: range.lowerBound + end)
    }
  }

  /// Returns the start of a JPEG's samples. The segments of JFIF and Adobe are permitted, because they affect decoding.
  private static func scan(ofPlain range: Range<Int>, in source: any ByteSource) throws(FileError) -> Int {
    let part = try SourcePart(source, range)
    if try part.prefix(at: 0, count: 2).has([0xFF, 0xD8]) {
      let segments = try JPEGSegments(of: part)
      for segment in segments.all where segment.marker == 0xFE || (0xE0...0xEF).contains(segment.marker) {
        let payload = try part.bytes(segment.payload)
        let isJFIF = segment.marker == 0xE0 && payload.has(Array("JFIF\0".utf8)) && payload.count <= 14
        let isAdobe = segment.marker == 0xEE && payload.has(Array("Adobe".utf8)) && payload.count <= 12
        guard isJFIF || isAdobe else {
          throw FileError(
            .notErasable, "has a segment of unknown content in a JPEG-compressed picture, which can't be erased",
            at: range.lowerBound + segment.range.lowerBound)
        }
      }
      return segments.scan
    }
    return 0
  }
}
