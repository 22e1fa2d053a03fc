/// The frames of a GIF.
extension GIFContainer {
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    (properties.codec, properties.colorModel, properties.bitDepth) = ("lzw", .rgb, 8)
    guard let file = try? GIFFile(source), file.frameCount > 0 else { return properties }
    properties.hasAlpha = file.hasTransparency
    guard file.frameCount > 1 else { return properties }
    properties.mediaKind = .animatedImage
    properties.frameCount = file.frameCount
    properties.duration = file.delay > 0 ? .milliseconds(file.delay * 10) : nil
    return properties
  }
}
