/// How an image is turned and mirrored by its own properties (ISO/IEC 23008-12, 6.5.10 and 6.5.12). They are what counts;
/// EXIF's Orientation is a copy that readers of HEIF ignore.
struct HEIFOrientation {
  /// Quarter turns anticlockwise, after a mirroring left to right if there is one.
  private var turns = 0
  private var isMirrored = false

  /// EXIF's number for it, 1…8.
  var exif: Int { (isMirrored ? [2, 5, 4, 7] : [1, 8, 3, 6])[turns] }

  /// Applies the properties that `iprp` associates with an item, in the order in which it does.
  init(of item: Int, _ box: Box, in source: any ByteSource) throws(PhotoError) {
    let children = try source.boxes(in: box.payload)
    guard let container = children.first(where: { $0.type == "ipco" }) else { return }
    let properties = try source.boxes(in: container.payload)
    for association in children where association.type == "ipma" {
      for index in try HEIFOrientation.indexes(of: item, association, in: source) {
        guard index > 0, index <= properties.count, !properties[index - 1].payload.isEmpty else { continue }
        let property = properties[index - 1]
        let value = Int(try source.bytes(at: property.payload.lowerBound, count: 1).u8(0))
        switch property.type {
        case "irot": turns = (turns + value & 3) & 3
        // Axis 0 exchanges top and bottom, 1 left and right, as libheif and libavif read it.
        case "imir": (turns, isMirrored) = ((value & 1 == 1 ? 4 - turns : 6 - turns) & 3, !isMirrored)
        default: break
        }
      }
    }
  }

  private static func indexes(
    of item: Int, _ box: Box, in source: any ByteSource
  ) throws(PhotoError) -> [Int] {
    var reader = FieldReader(source: source, at: box.payload.lowerBound, end: box.payload.upperBound)
    let head = try reader.field(4).value
    let isWide = head & 1 == 1
    for _ in 0..<(try reader.field(4).value) {
      let id = try reader.field(head >> 24 < 1 ? 2 : 4).value
      let count = try reader.field(1).value
      guard id == item else {
        reader.at += count * (isWide ? 2 : 1)
        continue
      }
      var indexes: [Int] = []
      for _ in 0..<count { indexes.append(try reader.field(isWide ? 2 : 1).value & (isWide ? 0x7FFF : 0x7F)) }
      return indexes
    }
    return []
  }
}
