/// An entry of an IFD as a C library read it, not interpreted.
struct EXIFEntry: Hashable, Sendable {
  /// The IFD: 0 IFD0, 1 IFD1, 2 EXIF, 3 GPS, 4 Interoperability; from 16 on, IFDs that only exiv2 distinguishes
  /// (sub-images, maker notes).
  let ifd: UInt16
  let tag: UInt16
  /// The TIFF 6.0 type, 1…13.
  let format: UInt16
  let components: UInt32
  /// The value in the byte order of the block; for a value over 64 KiB, an 8-byte digest.
  let bytes: [UInt8]
}

/// An independent reader of EXIF blocks.
enum EXIFReader: Hashable, Sendable {
  /// libexif. It reports exactly what is stored in IFD0, IFD1, EXIF, GPS and Interoperability; for the thumbnail, the
  /// bytes instead of the pointer. In an IFD whose thumbnail pointer is invalid, it reads no further. Blocks longer
  /// than `libexifLimit` are not passed to it, because it would read only their beginning.
  case libexif
  /// exiv2. It reads blocks of any length and every IFD, including maker notes, but not BigTIFF.
  case exiv2

  static let libexifLimit = 0xFFFE - 6
}

/// The entries that a C library read in an EXIF block.
package struct EXIFReading: Hashable, Sendable {
  let order: Bytes.Order
  /// The entries by IFD, then in the order of the file.
  let entries: [EXIFEntry]
}

/// The location of an EXIF block: its TIFF header and everything after it that belongs to it.
package struct EXIFBlock: Sendable {
  /// A descriptor open for reading, which the caller keeps open during the call.
  let descriptor: CInt
  /// The range in bytes from the start of the file. For a TIFF file, the whole file.
  let range: Range<Int>
}
