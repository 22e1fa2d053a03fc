/// What stands in a photo's further pictures: the previews of a raw file, images behind a JPEG's.
extension ImageSource {
  /// JPEGs in a raw file, of TIFF-based ones whatever its directories point to.
  var rawJPEGs: [Range<Int>] {
    get throws(PhotoError) {
      guard layout.rawKind != nil else { return [] }
      guard type.isTIFFBased, let block = try? TIFFBlock(source, 0..<source.count) else { return layout.previews }
      return layout.previews + (try block.jpegParts(of: try TIFFReferences(of: block).directories))
    }
  }

  /// The EXIF blocks that can be read.
  var exifBlocks: [TIFFBlock] {
    ([try? layout.exifBlock(of: source)] + layout.furtherExif.map { try? TIFFBlock(source, $0) }).compactMap(\.self)
  }

  /// What they tell of places. Reading them all takes time: only who must not miss one asks.
  func furtherPictures() throws(PhotoError) -> [Metadata] {
    var pictures = try rawJPEGs
    if type == .jpeg {
      for range in layout.imageData { pictures += try JPEGFurtherImages.images(in: range, of: file) }
    }
    var seen: Set<Range<Int>> = []
    var found: [Metadata] = []
    for picture in pictures where seen.insert(picture).inserted {
      let part = try SourcePart(file, picture)
      if let image = try? ImageSource(part, path: path) {
        found.append(image.metadata())
      } else if try part.seemsToBeginWithMetadata {
        var unread = Metadata()
        unread.unreadPlaces = [Sourced("a picture in it has metadata that can't be read", .exif, tag: "GPSLatitude")]
        found.append(unread)
      }
    }
    return found
  }
}
