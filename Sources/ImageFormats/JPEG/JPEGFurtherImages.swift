/// JPEGs behind the picture: of multi-picture format (CIPA DC-007), or a phone's. They keep their length and place, so
/// that every offset to them stays right.
package enum JPEGFurtherImages {
  private static let windowCount = 1 << 20
  /// No camera writes more.
  private static let mostImages = 64

  /// What takes from them what `edit` erases, none longer or shorter than what it replaces.
  ///
  /// - Parameter range: the picture's first scan to the end of the file.
  /// - Throws: `.refused` when something can't be erased so.
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

  /// Where they stand.
  /// - Throws: `.refused` when there are more than can be searched.
  package static func images(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var images: [Range<Int>] = []
    // Where the picture doesn't end as it should, further ones may begin anywhere.
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
    throw FileError(.refused, "holds more further images than can be searched for what they tell", at: at)
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

  /// The same for one whole JPEG.
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
}
