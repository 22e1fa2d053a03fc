/// The frames of a GIF.
extension GIFContainer {
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    (properties.codec, properties.colorModel, properties.bitDepth) = ("lzw", .rgb, 8)
    guard let file = try? GIFFile(source), !file.frames.isEmpty else { return properties }
    properties.hasAlpha = file.hasTransparency
    guard file.frames.count > 1 else { return properties }
    properties.mediaKind = .animatedImage
    properties.frameCount = file.frames.count
    let delay = file.frames.reduce(0) { $0 + $1.delay }
    properties.duration = delay > 0 ? .milliseconds(delay * 10) : nil
    return properties
  }

  func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] {
    guard let file = try? GIFFile(source), file.frames.count > 1 else { return [] }
    return file.frames.map { whole.image($0.size, duration: .milliseconds($0.delay * 10)) }
  }
}
