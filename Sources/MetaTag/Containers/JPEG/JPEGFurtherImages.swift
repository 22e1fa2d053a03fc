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
    var splices = try JPEGContainer().furtherExifSplices(segments.all.filter { $0.kind == .exif }, image)
    var removal = MetadataEdit()
    removal.location = .remove
    for segment in segments.all where segment.kind == .xmp {
      let range = JPEGContainer.packet(in: segment)
      guard let packet = try? XMPPacket(image.bytes(range)) else {
        if XMPProperty.seemToTellPlace(in: try image.bytes(range)) { throw refusal(range.lowerBound) }
        continue
      }
      guard let new = try packet.edited(by: removal) else { continue }
      guard new.count <= range.count else { throw refusal(range.lowerBound) }
      splices.append(Splice(range, new + [UInt8](repeating: 0x20, count: range.count - new.count)))
    }
    return splices
  }

  private static func refusal(_ offset: Int) -> PhotoError {
    PhotoError(.refused, "holds a further image whose XMP tells a place that can't be erased", at: offset)
  }
}
