/// JPEGs behind the picture: of multi-picture format (CIPA DC-007), or a phone's. They keep their length and place, so that
/// every offset to them stays right.
enum JPEGFurtherImages {
  private static let windowCount = 1 << 20
  /// No camera writes more.
  private static let mostImages = 64

  /// What erases every place that they tell, none longer or shorter than what it replaces.
  ///
  /// - Parameter range: the picture's first scan to the end of the file.
  /// - Throws: `.refused` when a place can't be erased so.
  static func erasures(in range: Range<Int>, of source: any ByteSource) throws(PhotoError) -> [Splice] {
    var erasures: [Splice] = []
    // Where the picture doesn't end as it should, further ones may begin anywhere.
    var at = (try? JPEGScan.end(from: range.lowerBound, of: source)) ?? range.lowerBound
    for _ in 0..<mostImages {
      guard let start = try start(in: at..<range.upperBound, of: source) else { return erasures }
      let image = try SourcePart(source, start..<range.upperBound)
      guard let segments = try? JPEGSegments(of: image), segments.frame != nil,
        let end = try? JPEGScan.end(from: segments.scan, of: image)
      else {
        at = start + 2
        continue
      }
      erasures += try self.erasures(segments, image).map { $0.moved(by: start) }
      at = start + end
    }
    throw PhotoError(.refused, "holds more further images than can be searched for places", at: at)
  }

  private static func start(in range: Range<Int>, of source: any ByteSource) throws(PhotoError) -> Int? {
    var at = range.lowerBound
    while at < range.upperBound {
      let window = try source.prefix(at: at, count: min(windowCount, range.upperBound - at))
      if let found = window.firstIndex(of: [0xFF, 0xD8, 0xFF]) { return at + found }
      at += window.count < windowCount ? window.count : window.count - 2
    }
    return nil
  }

  /// The same for one whole JPEG.
  static func erasures(_ segments: JPEGSegments, _ image: any ByteSource) throws(PhotoError) -> [Splice] {
    var splices: [Splice] = []
    for segment in segments.all {
      switch segment.kind {
      case .exif: splices += try PlaceErasing.splices(inEXIF: JPEGContainer.block(in: segment), of: image)
      case .xmp: splices += try PlaceErasing.splices(inXMP: JPEGContainer.packet(in: segment), of: image)
      default: break
      }
    }
    return splices
  }
}
