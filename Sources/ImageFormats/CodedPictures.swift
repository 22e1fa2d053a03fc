/// The pictures of formats whose decoder reads the whole file, its ICC profile included.
extension CodedPicture {
  /// Creates the picture of a file.
  /// - Throws: `.malformed` if its size isn't recorded.
  fileprivate init(
    _ source: any ByteSource, _ coding: PictureCoding, _ properties: ImageProperties, isUpright: Bool = false
  ) throws(FileError) {
    guard let size = properties.pixelSize else { throw FileError(.malformed, "the picture size is not recorded") }
    var losses: [Note] = []
    if let depth = properties.bitDepth, depth > 8 {
      losses.append(Note(.depthReduced, "\(depth) bits per channel (8 are kept)"))
    }
    if properties.hasAlpha == true { losses.append(Note(.picturesLost, "the transparency")) }
    if properties.mediaKind == .animatedImage { losses.append(Note(.picturesLost, "the animation")) }
    if properties.imageCount > 1 { losses.append(Note(.picturesLost, "the pages after the first")) }
    self.init(
      bytes: source, coding: coding, size: isUpright && (properties.orientation ?? 1) > 4 ? size.turned : size,
      isUpright: isUpright, hasFullChroma: properties.codec != "vp8", primaries: 1, transfer: 13, profile: [],
      losses: losses)
  }
}

extension PNGContainer {
  package func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    try CodedPicture(source, .png, properties(of: .png, layout, source: source))
  }
}

extension WebPContainer {
  func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    try CodedPicture(source, .webp, properties(of: .webp, layout, source: source))
  }
}

extension TIFFContainer {
  /// Pixels of raw files aren't decoded.
  package func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    layout.isRaw ? nil : try CodedPicture(source, .tiff, properties(of: .tiff, layout, source: source))
  }
}

extension GIFContainer {
  func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    try CodedPicture(source, .gif, properties(of: .gif, layout, source: source))
  }
}

extension JXLContainer {
  func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    try CodedPicture(source, .jxl, properties(of: .jxl, layout, source: source), isUpright: true)
  }
}
