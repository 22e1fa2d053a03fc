/// Fujifilm's raw format: a header with a table of offsets, a JPEG with all EXIF, and the sensor's data.
struct RAFContainer: ReadOnlyContainer {
  let types: [ImageType] = [.raf]

  private static let signature = Array("FUJIFILMCCD-RAW ".utf8)
  /// The positions in the header of offset and length of the JPEG and of the list of records, as 32-bit big-endian
  /// numbers.
  private static let (jpeg, records) = (84, 92)
  /// The tags with height and width, cropped and full.
  private static let sizes: [UInt16] = [0x111, 0x121, 0x100]

  func type(of head: Bytes) -> ImageType? { head.has(RAFContainer.signature) ? .raf : nil }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let head = try source.bytes(at: 0, count: 100)
    let start = Int(try head.u32(RAFContainer.jpeg, .big))
    let length = Int(try head.u32(RAFContainer.jpeg + 4, .big))
    guard start < source.count else { throw FileError.endsTooSoon(needing: length, at: start) }
    var layout = Layout(readOnly: .raf, in: source)
    layout.pixelSize = RAFContainer.size(at: Int(try head.u32(RAFContainer.records, .big)), in: source)
    layout.adopt(jpeg: start..<start + min(length, source.count - start), in: source)
    return layout
  }

  /// Returns the size from a list of records: a count, then tag, length and value of each.
  private static func size(at offset: Int, in source: any ByteSource) -> PixelSize? {
    guard offset > 0, let list = try? source.prefix(at: offset, count: 65_536), let count = try? list.u32(0, .big)
    else { return nil }
    var found: [UInt16: PixelSize] = [:]
    var at = 4
    for _ in 0..<min(count, 255) {
      guard let tag = try? list.u16(at, .big), let length = try? list.u16(at + 2, .big) else { break }
      if length >= 4, let height = try? list.u16(at + 4, .big), let width = try? list.u16(at + 6, .big) {
        found[tag] = found[tag] ?? PixelSize(width: Int(width), height: Int(height))
      }
      at += 4 + Int(length)
    }
    return sizes.lazy.compactMap { found[$0] }.first
  }
}
