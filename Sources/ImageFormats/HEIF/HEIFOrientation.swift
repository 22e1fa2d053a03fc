/// The rotation and mirroring of an image by its own properties (ISO/IEC 23008-12, 6.5.10 and 6.5.12). They are
/// authoritative; EXIF's Orientation is a copy that readers of HEIF ignore.
struct HEIFOrientation {
  /// Quarter turns anticlockwise, after a mirroring left to right if there is one.
  private var turns = 0
  private var isMirrored = false

  /// The equivalent EXIF orientation, 1…8.
  var exif: Int { (isMirrored ? [2, 5, 4, 7] : [1, 8, 3, 6])[turns] }

  /// Applies an item's properties in their order.
  init(_ properties: [Box], in source: any ByteSource) throws(FileError) {
    for property in properties where !property.payload.isEmpty {
      let value = Int(try source.bytes(at: property.payload.lowerBound, count: 1).u8(0))
      switch property.type {
      case "irot": turns = (turns + value & 3) & 3
      // Axis 0 exchanges top and bottom, axis 1 left and right, as in libheif and libavif.
      case "imir": (turns, isMirrored) = ((value & 1 == 1 ? 4 - turns : 6 - turns) & 3, !isMirrored)
      default: break
      }
    }
  }
}
