/// The primary picture of a HEIF file, its auxiliary images, and sequences.
extension HEIFContainer {
  package func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    guard let file = try? HEIFFile(source) else { return properties }
    if let pixels = try? HEIFPixels(file) { describe(pixels, in: file, &properties) }
    guard file.boxes.contains(where: { $0.type == "moov" }), let track = try? MovieFacts(of: source).picture else {
      return properties
    }
    // Some phones put a burst next to a picture; the major brand says what the file is.
    let major = (try? source.bytes(at: 8, count: 4).u32(0, .big)).map { FourCC(rawValue: $0) }
    guard properties.pixelSize == nil || major.map(Self.sequenceBrands.contains) ?? false else { return properties }
    properties.mediaKind = .animatedImage
    properties.frameCount = track.frames
    properties.duration = track.duration
    properties.frameRate = track.frameRate
    properties.pixelSize = properties.pixelSize ?? track.size
    properties.codec = properties.codec ?? track.codec
    properties.bitDepth = properties.bitDepth ?? track.bitDepth
    properties.colorModel = properties.colorModel ?? .rgb
    return properties
  }

  package func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] {
    if whole.mediaKind == .animatedImage, let count = whole.frameCount, (1...100_000).contains(count) {
      // The frames of a sequence have one size; their times are in tables that aren't read.
      return Array(repeating: whole.image(whole.pixelSize, duration: whole.duration.map { $0 / count }), count: count)
    }
    guard whole.imageCount > 1, let file = try? HEIFFile(source), let main = try? HEIFPixels(file) else { return [] }
    return [whole.image(whole.pixelSize)]
      + main.additionalItems.map { item in
        let pixels = try? HEIFPixels(file, item: item)
        var image = whole.image(pixels?.storedSize)
        (image.codec, image.bitDepth) = (pixels.map { "\($0.codingName)" }, pixels?.depth)
        (image.orientation, image.profileName) = (nil, nil)
        return image
      }
  }

  private static let sequenceBrands: Set<FourCC> = ["avis", "hevc", "hevx", "hevm", "hevs", "msf1"]

  private func describe(_ pixels: HEIFPixels, in file: HEIFFile, _ properties: inout ImageProperties) {
    properties.pixelSize = pixels.storedSize
    properties.codec = "\(pixels.codingName)"
    properties.bitDepth = pixels.depth
    properties.colorModel = pixels.isGray ? .gray : .rgb
    properties.profileName = pixels.colour.embedded.flatMap { ColorProfile.name(in: Bytes($0)) }
    if [16, 18].contains(pixels.colour.transfer) { properties.subtypes.insert(.hdr) }
    let kinds = (try? pixels.auxiliaryKinds()) ?? []
    properties.hasAlpha = kinds.contains(.alpha)
    properties.auxiliaryImages = Set(kinds.compactMap(\.image))
    if properties.auxiliaryImages.contains(.gainMap) { properties.subtypes.insert(.hdr) }
    properties.imageCount = 1 + pixels.additionalItems.count
    if file.meta?.stereoPairs.contains(where: { $0.contains(pixels.item) }) ?? false {
      properties.subtypes.insert(.spatial)
    }
    if file.boxes.contains(where: { $0.type == "mpvd" }) { properties.mediaKind = .livePhoto }
  }
}
