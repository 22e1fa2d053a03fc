/// JPEGs after the picture, in multi-picture format (CIPA DC-007) or from a phone. They keep their length and place, so
/// that all offsets to them stay right.
package enum JPEGFurtherImages {
  private static let windowCount = 1 << 20
  /// The limit of images. No camera writes more.
  private static let mostImages = 64

  /// Returns splices that erase from the images what `edit` erases. Each is as long as the bytes it replaces.
  ///
  /// - Parameter range: The range from the picture's first scan to the end of the file.
  package static func erasures(
    in range: Range<Int>, of source: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    var erasures: [Splice] = []
    for place in try images(in: range, of: source) {
      let image = try SourcePart(source, place)
      erasures += try self.erasures(try JPEGSegments(of: image), image, by: edit).map { $0.moved(by: place.lowerBound) }
    }
    return erasures
  }

  /// Finds the images.
  /// - Throws: `.refused` when there are more than can be searched.
  package static func images(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var images: [Range<Int>] = []
    // If the picture has no proper end, further images may begin anywhere.
    var at = (try? JPEGScan.end(from: range.lowerBound, of: source)) ?? range.lowerBound
    for _ in 0..<mostImages {
      guard let start = try start(in: at..<range.upperBound, of: source) else { return images }
      let image = try SourcePart(source, start..<range.upperBound)
      guard let segments = try? JPEGSegments(of: image), segments.frame != nil,
        let end = try? JPEGScan.end(from: segments.scan, of: image)
      else {
        at = start + 2
        continue
      }
      images.append(start..<start + end)
      at = start + end
    }
    throw FileError(.notErasable, "has too many additional images to search", at: at)
  }

  private static func start(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> Int? {
    var at = range.lowerBound
    while at < range.upperBound {
      let window = try source.prefix(at: at, count: min(windowCount, range.upperBound - at))
      if let found = window.firstIndex(of: [0xFF, 0xD8, 0xFF]) { return at + found }
      at += window.count < windowCount ? window.count : window.count - 2
    }
    return nil
  }

  /// Returns the splices for one whole JPEG.
  package static func erasures(
    _ segments: JPEGSegments, _ image: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for segment in segments.all {
      switch segment.kind {
      case .exif: splices += try InPlaceErasing.splices(inEXIF: JPEGContainer.block(in: segment), of: image, by: edit)
      case .xmp: splices += try InPlaceErasing.splices(inXMP: JPEGContainer.packet(in: segment), of: image, by: edit)
      case .extendedXMP, .unknownXMP:
        try InPlaceErasing.requireNothing(inUnreadXMP: segment.payload, of: image, by: edit)
      default: break
      }
    }
    return try splices + InPlaceErasing.splices(inIPTCOf: segments, image, by: edit)
  }

  /// Returns splices that erase from JPEGs in the file what `edit` erases. Each is as long as the bytes it replaces.
  /// - Throws: `.refused` when one of them can't be read, and has metadata.
  package static func erasures(
    in jpegs: [Range<Int>], besides own: Range<Int>?, of source: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    var erasures: [Splice] = []
    var seen: Set<Range<Int>> = []
    for jpeg in jpegs where jpeg != own && seen.insert(jpeg).inserted {
      let image = try SourcePart(source, jpeg)
      guard let segments = try? JPEGSegments(of: image) else {
        guard try !image.seemsToBeginWithMetadata else {
          throw FileError(
            .notErasable,
            "an additional JPEG has metadata that can't be read and may contain \(edit.erasesPlaces ? "a location" : "a date")",
            at: jpeg.lowerBound)
        }
        continue
      }
      erasures += try self.erasures(segments, image, by: edit).map { $0.moved(by: jpeg.lowerBound) }
    }
    return erasures
  }
}

/// Offsets that a longer header would invalidate: multi-picture entries (CIPA DC-007) and previews after the image.
struct JPEGOffsets {
  private let segments: JPEGSegments
  private let source: any ByteSource
  private let splices: [Splice]
  private var growth: Int { splices.reduce(0) { $0 + $1.growth } }

  /// Creates the offsets for the `splices` planned so far.
  init(_ segments: JPEGSegments, _ source: any ByteSource, _ splices: [Splice]) {
    (self.segments, self.source, self.splices) = (segments, source, splices)
  }

  /// Returns the overwrites that keep every offset right.
  func corrections() throws(FileError) -> [Splice] {
    guard growth != 0 else { return [] }
    if source.count >= 12, try source.bytes(at: source.count - 12, count: 4).has(Array("AXS".utf8)) {
      throw FileError(
        .fixedPositions, "has an AFCP trailer with absolute offsets; only edits that keep the file size are possible",
        at: source.count - 12)
    }
    return try multiPicture() + previews()
  }

  private func growth(before position: Int) -> Int {
    splices.filter { $0.range.upperBound <= position }.reduce(0) { $0 + $1.growth }
  }

  // MARK: Multi-picture format

  private static let entriesTag: UInt16 = 0xB002
  private static let entryCount = 16

  /// Corrects multi-picture entries. Offsets count from the header in the MPF segment, so they change by the growth
  /// between it and the images. The first entry's size counts from the start of the file; a size that was wrong before
  /// stays.
  private func multiPicture() throws(FileError) -> [Splice] {
    guard let segment = segments[.multiPicture], segment.payload.count > 12,
      let block = try? TIFFBlock(source, segment.payload.lowerBound + 4..<segment.payload.upperBound),
      let entries = block.ifd0[JPEGOffsets.entriesTag]?.value, let table = try? block.bytes(entries)
    else { return [] }
    let start = block.range.lowerBound
    let moved = growth - growth(before: start)
    var corrections: [Splice] = []
    for at in stride(from: 0, to: table.count - JPEGOffsets.entryCount + 1, by: JPEGOffsets.entryCount) {
      let size = Int(try table.u32(at + 4, block.order))
      let offset = Int(try table.u32(at + 8, block.order))
      let field = start + entries.lowerBound + at
      if at == 0, offset == 0 {
        guard size > segments.scan, size <= source.count, try source.bytes(at: size - 2, count: 2).has([0xFF, 0xD9])
        else { continue }
        corrections.append(try correction(at: field + 4, size + growth, block.order))
      } else if offset != 0, moved != 0 {
        corrections.append(try correction(at: field + 8, offset + moved, block.order))
      }
    }
    return corrections
  }

  // MARK: Previews

  private static let makerNote: UInt16 = 0x927C
  private static let previewStart: UInt16 = 0x0088

  /// Corrects pointers to images outside the Exif segment, from a directory or from a maker note of Minolta or Olympus.
  private func previews() throws(FileError) -> [Splice] {
    guard let segment = segments[.exif], let block = try? TIFFBlock(source, JPEGContainer.block(in: segment)),
      !block.isBig
    else { return [] }
    let start = block.range.lowerBound
    let moved = growth - growth(before: start)
    var fields = try TIFFReferences(of: block).outside
    if let note = block.exif?[JPEGOffsets.makerNote]?.value {
      // Minolta's directory begins at once, Olympus' after `OLYMP\0` and a version; offsets count from the TIFF header.
      let header = (try? block.bytes(note).has(Array("OLYMP\0".utf8))) == true ? 8 : 0
      if let preview = block.directory(at: note.lowerBound + header)?[JPEGOffsets.previewStart],
        preview.type == TIFFType.long, preview.count == 1
      {
        fields.append(preview.position + 8)
      }
    }
    var corrections: [Splice] = []
    for field in fields {
      let target = try block.word(at: field)
      // The first byte of such previews is often not FF.
      guard moved != 0, target >= block.count, start + target <= source.count - 3,
        try source.bytes(at: start + target + 1, count: 2).has([0xD8, 0xFF])
      else { continue }
      corrections.append(try correction(at: start + field, target + moved, block.order))
    }
    return corrections
  }

  private func correction(at field: Int, _ value: Int, _ order: Bytes.Order) throws(FileError) -> Splice {
    guard let value = UInt32(exactly: value) else {
      throw FileError(.tooLarge, "an offset would exceed 4 GiB", at: field)
    }
    return Splice(field..<field + 4, value.bytes(order))
  }
}
