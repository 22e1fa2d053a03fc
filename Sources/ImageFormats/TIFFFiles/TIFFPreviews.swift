/// JPEG files within a TIFF-based raw file, which may have EXIF of their own.
extension TIFFContainer {
  /// The limit of previews. No camera writes more.
  private static let mostPreviews = 32

  /// Returns everything that begins like a JPEG, by the directories: single strips, interchange streams, and
  /// Panasonic's own tag.
  package static func previews(of block: TIFFBlock, _ references: TIFFReferences) -> [Range<Int>] {
    var found = [panasonicPreview(of: block), MakerPreview.range(in: block)].compactMap(\.self)
    let pairs = [(TIFFTag.jpegOffset, TIFFTag.jpegByteCount), (TIFFTag.stripOffsets, TIFFTag.stripByteCounts)]
    for directory in references.directories.prefix(mostPreviews) {
      for (offsets, counts) in pairs where directory[offsets]?.count == 1 {
        guard let start = block.integer(of: offsets, in: directory),
          let count = block.integer(of: counts, in: directory), count > 0, start <= block.count,
          count <= block.count - start
        else { continue }
        found.append(start..<start + count)
      }
    }
    return found.filter { (try? block.bytes($0.prefix(3)).has([0xFF, 0xD8, 0xFF])) ?? false }
  }

  /// Returns the JPEG file in which Panasonic's cameras repeat all metadata.
  static func panasonicPreview(of block: TIFFBlock) -> Range<Int>? {
    guard block.magic == TIFFBlock.panasonic, let value = block.ifd0[PanasonicTag.preview]?.value,
      value.count <= TIFFBlock.longestValue, (try? block.bytes(value.prefix(3)).has([0xFF, 0xD8, 0xFF])) ?? false
    else { return nil }
    return value
  }

  /// Returns the range in the file of that JPEG's EXIF.
  static func panasonicEXIF(of block: TIFFBlock, in source: any ByteSource) -> Range<Int>? {
    guard let preview = panasonicPreview(of: block), let jpeg = try? SourcePart(source, preview),
      let exif = (try? JPEGSegments(of: jpeg))?[.exif].map(JPEGContainer.block(in:)),
      (try? TIFFBlock(jpeg, exif)) != nil
    else { return nil }
    return exif.lowerBound + preview.lowerBound..<exif.upperBound + preview.lowerBound
  }

  /// Changes that EXIF too: the JPEG is a value like any other, and the changed one replaces it.
  static func putPreview(
    _ wanted: TIFFChanges, erasing: MetadataEdit, of block: TIFFBlock, _ changes: inout TIFFChanges,
    in source: any ByteSource
  ) throws(FileError) {
    guard let preview = panasonicPreview(of: block) else { return }
    let jpeg = try SourcePart(source, preview)
    var own = BlockChanges()
    own.exif = wanted
    (own.erasesPlaces, own.erasesDates) = (erasing.erasesPlaces, erasing.erasesDates)
    let container = JPEGContainer()
    let patch = try container.patch(own, layout: try container.layout(of: jpeg), source: jpeg)
    guard !patch.isEmpty else { return }
    var new = try patch.applied(to: jpeg)
    if own.mustReadAll {
      // Its XMP too.
      let image = Bytes(new)
      let erasures = try JPEGFurtherImages.erasures(try JPEGSegments(of: image), image, by: erasing)
      new = try Patch(erasures, to: new.count, imageData: []).applied(to: image)
    }
    changes.set(PanasonicTag.preview, in: .ifd0, to: .undefined(new))
  }
}

extension ByteSource {
  /// Whether a JPEG, whole or not, has EXIF or XMP among its first segments.
  package var seemsToBeginWithMetadata: Bool {
    get throws(FileError) {
      guard try prefix(at: 0, count: 3).has([0xFF, 0xD8, 0xFF]) else { return false }
      let head = try prefix(at: 0, count: FileSource.headCount)
      return [JPEGSegment.exifHeader, JPEGSegment.xmpHeader].contains { head.firstIndex(of: $0) != nil }
    }
  }
}

extension Range<Int> {
  /// Returns its first positions.
  fileprivate func prefix(_ count: Int) -> Range<Int> { lowerBound..<lowerBound + Swift.min(count, self.count) }
}
