/// Sigma's raw format: sections, found by a directory at the end. One is a JPEG with EXIF, or, of the oldest cameras, a
/// list of properties in UTF-16.
struct X3FContainer: ReadOnlyContainer {
  let types: [ImageType] = [.x3f]

  private static let signature = Array("FOVb".utf8)
  private static let jpegHead: [UInt8] =
    Array("SECi".utf8) + [0, 0, 2, 0] + UInt32(2).bytes(.little) + UInt32(0x12).bytes(.little)
  /// Cameras write about five.
  private static let mostSections = 1_024

  func type(of head: Bytes) -> ImageType? { head.has(X3FContainer.signature) ? .x3f : nil }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    var layout = Layout(readOnly: .x3f, in: source)
    let head = try source.bytes(at: 0, count: 48)
    // Version 4 has other things before the size.
    let size = try head.u16(6, .little) < 4 ? 28 : 40
    if size == 28 {
      layout.pixelSize = PixelSize(width: Int(try head.u32(28, .little)), height: Int(try head.u32(32, .little)))
    } else {
      layout.pixelSize = PixelSize(width: Int(try head.u32(40, .little)), height: Int(try head.u32(44, .little)))
    }
    var tags = TIFFChanges()
    if size == 28 { tags.state(rotation: Int(try head.u32(36, .little))) }
    var pictures: [Range<Int>] = []
    for (type, range) in try X3FContainer.sections(of: source) {
      let start = try source.prefix(at: range.lowerBound, count: min(range.count, 28))
      if type.hasPrefix("IMA"), start.count == 28, start.has(X3FContainer.jpegHead) {
        pictures.append(range.lowerBound + 28..<range.upperBound)
      } else if type == "PROP", range.count < 1 << 20 {
        X3FContainer.read(try source.bytes(range), into: &tags)
      }
    }
    // The one with EXIF describes the photo.
    for picture in pictures { layout.adopt(jpeg: picture, in: source) }
    try layout.state(tags, in: source)
    return layout
  }

  private static func sections(
    of source: any ByteSource
  ) throws(FileError) -> [(type: String, range: Range<Int>)] {
    let start = Int(try source.bytes(at: source.count - 4, count: 4).u32(0, .little))
    let head = try source.bytes(at: start, count: 12)
    guard head.has(Array("SECd".utf8)) else {
      throw FileError(
        .truncated, "the directory offset at its end is invalid: truncated, or not an X3F file", at: source.count - 4)
    }
    let count = Int(try head.u32(8, .little))
    guard count <= mostSections else {
      throw FileError(.malformed, "has more than \(mostSections) sections", at: start)
    }
    let table = try source.bytes(at: start + 12, count: 12 * count)
    return try (0..<count).map { index throws(FileError) in
      let offset = Int(try table.u32(12 * index, .little))
      let length = Int(try table.u32(12 * index + 4, .little))
      guard offset <= source.count, length <= source.count - offset else {
        throw FileError.endsTooSoon(needing: length, at: offset)
      }
      let type = try table.bytes(at: 12 * index + 8, count: 4).array
      return (String(decoding: type, as: UTF8.self), offset..<offset + length)
    }
  }

  /// Pairs of name and value: where each begins among the characters that follow.
  private static func read(_ section: Bytes, into tags: inout TIFFChanges) {
    guard section.has(Array("SECp".utf8)), let count = try? section.u32(8, .little), count <= 4_096 else { return }
    let characters = 24 + 8 * Int(count)
    func text(at index: Int) -> String? {
      guard let position = try? section.u32(24 + 4 * index, .little) else { return nil }
      var units: [UInt16] = []
      while units.count < 256, let unit = try? section.u16(characters + 2 * (Int(position) + units.count), .little),
        unit != 0
      {
        units.append(unit)
      }
      return String(decoding: units, as: UTF16.self)
    }
    for pair in 0..<Int(count) {
      switch text(at: 2 * pair) {
      case "CAMMANUF": tags.state(text(at: 2 * pair + 1), TIFFTag.make, in: .ifd0)
      case "CAMMODEL": tags.state(text(at: 2 * pair + 1), TIFFTag.model, in: .ifd0)
      case "CAMSERIAL": tags.state(text(at: 2 * pair + 1), TIFFTag.bodySerialNumber, in: .exif)
      case "TIME": tags.state(clock: text(at: 2 * pair + 1).flatMap { Int64($0) } ?? 0)
      default: break
      }
    }
  }
}
