extension JPEGContainer {
  package func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    let segments = try JPEGSegments(of: source)
    guard let size = layout.pixelSize else {
      throw FileError(.unsupported, "doesn't say how large its picture is")
    }
    // sRGB, unless a profile says something else.
    return CodedPicture(
      bytes: source, coding: .jpeg, size: size, isUpright: false, hasFullChroma: segments.hasFullChroma, primaries: 1,
      transfer: 13, profile: try segments.profile(in: source), losses: try segments.losses(in: source))
  }

  package func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] {
    let own = layout.exifBlocks(of: source).compactMap { block in block.thumbnail.flatMap { try? block.bytes($0) } }
    guard let segments = try? JPEGSegments(of: source), let photoshop = try? JPEGPhotoshop(segments, source) else {
      return own
    }
    return own + photoshop.resources.thumbnails
  }

  package func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var pictures: [Range<Int>] = []
    for range in layout.imageData {
      pictures += try JPEGFurtherImages.images(in: range, of: source) + EmbeddedMovie.movies(in: range, of: source)
    }
    return pictures
  }
}

/// The properties of a JPEG's picture that re-encoding needs, apart from those that the decoder reports.
extension JPEGSegments {
  /// Whether the colour resolution is higher than 4:2:0, by the frame header's sampling factors (ISO/IEC 10918-1,
  /// B.2.2).
  package var hasFullChroma: Bool {
    guard let frame, frame.components == 3 else { return false }
    return frame.sampling != 0x22
  }

  /// Returns the ICC profile (ICC.1:2010, B.4); empty when it is missing or incomplete.
  package func profile(in source: any ByteSource) throws(FileError) -> [UInt8] {
    var parts: [Int: Range<Int>] = [:]
    var count = 0
    for segment in all where segment.kind == .colorProfile && segment.payload.count > 14 {
      let numbers = try source.bytes(at: segment.payload.lowerBound + 12, count: 2)
      count = Int(try numbers.u8(1))
      parts[Int(try numbers.u8(0))] = segment.payload.lowerBound + 14..<segment.payload.upperBound
    }
    var profile: [UInt8] = []
    for number in 0..<count {
      guard let part = parts[number + 1] else { return [] }
      profile += try source.bytes(part).array
    }
    return profile
  }

  /// Returns the features that a file of another format, made from the picture, can't hold.
  package func losses(in source: any ByteSource) throws(FileError) -> [String] {
    var losses: [String] = []
    if self[.extendedXMP] != nil { losses.append("XMP beyond 64 KB") }
    if self[.multiPicture] != nil { losses.append("the further pictures (MPF), such as a gain map") }
    if let segment = self[.xmp] {
      let packet = try source.bytes(segment.payload)
      let marks = ["MicroVideo=\"1", "MotionPhoto=\"1", "MotionPhoto>1", "MicroVideo>1"]
      if marks.contains(where: { packet.firstIndex(of: Array($0.utf8)) != nil }) {
        losses.append("the movie of the motion photo")
      }
    }
    if self[.contentCredentials] != nil { losses.append("the C2PA manifest") }
    return losses
  }
}
