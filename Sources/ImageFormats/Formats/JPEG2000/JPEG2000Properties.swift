/// The header of a JPEG 2000 picture.
extension JPEG2000Container {
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    properties.codec = "jp2"
    guard let boxes = try? source.boxes(in: 0..<source.count), boxes.first?.type == "jP  " else {
      describe(codestreamAt: 0, of: source, &properties)
      return properties
    }
    guard let header = boxes.first(where: { $0.type == "jp2h" }),
      let inside = try? source.boxes(in: header.payload)
    else {
      if let codestream = boxes.first(where: { $0.type == "jp2c" }) {
        describe(codestreamAt: codestream.payload.lowerBound, of: source, &properties)
      }
      return properties
    }
    for box in inside {
      guard let content = try? source.prefix(at: box.payload.lowerBound, count: min(box.payload.count, 1 << 20)) else {
        continue
      }
      switch box.type {
      // ISO/IEC 15444-1, I.5.3.1: height, width, components, bits less one; 255 if they differ.
      case "ihdr":
        if let components = try? content.u16(8, .big) { properties.colorModel = Self.model(Int(components)) }
        if let depth = try? content.u8(10), depth != 255 { properties.bitDepth = Int(depth & 0x7F) + 1 }
      // I.5.3.3: a number, or an ICC profile.
      case "colr":
        switch try? content.u8(0) {
        case 1: if let space = try? content.u32(3, .big) { properties.colorModel = Self.spaces[Int(space)] ?? .rgb }
        case 2, 3: properties.profileName = (try? content.bytes(3..<content.count)).flatMap(ColorProfile.name)
        default: break
        }
      // I.5.3.6: the type of a channel is 1 or 2 if it is an opacity.
      case "cdef":
        let count = (try? content.u16(0, .big)).map(Int.init) ?? 0
        properties.hasAlpha = (0..<count).contains { index in
          [1, 2].contains((try? content.u16(4 + 6 * index, .big)) ?? 0)
        }
      default: break
      }
    }
    return properties
  }

  private static let spaces: [Int: ColorModel] = [12: .cmyk, 14: .lab, 16: .rgb, 17: .gray, 18: .rgb]

  private static func model(_ components: Int) -> ColorModel { components < 3 ? .gray : .rgb }

  /// Reads the sizes in a codestream (SIZ: A.5.1).
  private func describe(codestreamAt start: Int, of source: any ByteSource, _ properties: inout ImageProperties) {
    guard let head = try? source.prefix(at: start, count: 43), let components = try? head.u16(40, .big),
      let depth = try? head.u8(42)
    else { return }
    (properties.colorModel, properties.bitDepth) = (Self.model(Int(components)), Int(depth & 0x7F) + 1)
  }
}
