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
    throw FileError(.notErasable, "holds more additional images than can be searched", at: at)
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
      case .extendedXMP, .strangeXMP:
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
            .refused,
            "a JPEG in it has metadata that can't be read and may contain \(edit.erasesPlaces ? "a place" : "a date")",
            at: jpeg.lowerBound)
        }
        continue
      }
      erasures += try self.erasures(segments, image, by: edit).map { $0.moved(by: jpeg.lowerBound) }
    }
    return erasures
  }
}
