/// One entry of a directory, with the position of its value. The value is decoded only when needed.
package struct TIFFEntry: Hashable, Sendable {
  package let tag: UInt16
  /// TIFF field type; `TIFFType.size` is nil for one that no standard names.
  package let type: UInt16
  /// The number of values.
  package let count: Int
  /// The position of the entry itself in the block.
  package let position: Int
  /// The range of the value's bytes in the block. Nil when the type is unknown or the value leaves the block.
  package let value: Range<Int>?
}

/// An image file directory (IFD) of a block.
package struct TIFFDirectory: Sendable {
  /// The range of the directory, from its count to its pointer to the next directory.
  package let range: Range<Int>
  package let entries: [TIFFEntry]
  /// The offset of the next directory; 0 in the last one. Nil when the block ends before this pointer.
  let next: Int?
  /// Whether the last entry is within the block.
  let isWhole: Bool

  /// The first entry with this tag.
  package subscript(tag: UInt16) -> TIFFEntry? { entries.first { $0.tag == tag } }

  /// Returns the directory with positions counted from another origin.
  func moved(by distance: Int) -> TIFFDirectory {
    func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + distance..<range.upperBound + distance }
    let entries = entries.map { entry in
      TIFFEntry(
        tag: entry.tag, type: entry.type, count: entry.count, position: entry.position + distance,
        value: entry.value.map(moved))
    }
    return TIFFDirectory(range: moved(range), entries: entries, next: next, isWhole: isWhole)
  }
}

/// The field types of TIFF 6.0, its BigTIFF extension, and EXIF.
enum TIFFType {
  static let byte: UInt16 = 1
  static let ascii: UInt16 = 2
  static let short: UInt16 = 3
  static let long: UInt16 = 4
  static let rational: UInt16 = 5
  static let signedByte: UInt16 = 6
  static let undefined: UInt16 = 7
  static let signedShort: UInt16 = 8
  static let signedLong: UInt16 = 9
  static let signedRational: UInt16 = 10
  static let float: UInt16 = 11
  static let double: UInt16 = 12
  static let ifd: UInt16 = 13
  static let long8: UInt16 = 16
  static let signedLong8: UInt16 = 17
  static let ifd8: UInt16 = 18

  /// Returns the bytes of one value; nil for an unknown type.
  static func size(_ type: UInt16) -> Int? {
    switch type {
    case byte, ascii, signedByte, undefined: 1
    case short, signedShort: 2
    case long, signedLong, float, ifd: 4
    case rational, signedRational, double, long8, signedLong8, ifd8: 8
    default: nil
    }
  }
}

/// Tags of Panasonic's IFD0. Below 0x10F they have their own meanings.
enum PanasonicTag {
  static let sensorWidth: UInt16 = 0x02
  static let sensorHeight: UInt16 = 0x03
  static let topBorder: UInt16 = 0x04
  static let leftBorder: UInt16 = 0x05
  static let bottomBorder: UInt16 = 0x06
  static let rightBorder: UInt16 = 0x07
  static let rawFormat: UInt16 = 0x2D
  /// A whole JPEG file, with EXIF of its own.
  static let preview: UInt16 = 0x2E
  static let rawDataOffset: UInt16 = 0x118
}
