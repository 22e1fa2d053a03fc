/// An entry of a TIFF directory as a C library read it, uninterpreted.
struct EXIFEntry: Hashable, Sendable {
  /// Which directory: 0 IFD0, 1 IFD1, 2 EXIF, 3 GPS, 4 Interoperability; from 16 on, ones that only exiv2 tells
  /// apart (sub-images, maker notes).
  let ifd: UInt16
  let tag: UInt16
  /// TIFF 6.0 type, 1…13.
  let format: UInt16
  let components: UInt32
  /// In the byte order of the block. Of a value over 64 KiB, 8 bytes of digest.
  let bytes: [UInt8]
}

/// Who reads EXIF blocks besides us.
enum EXIFReader: Hashable, Sendable {
  /// Tells what is stored and nothing else, in IFD0, IFD1, EXIF, GPS and Interoperability; of the thumbnail the bytes,
  /// not the pointer. In a directory whose thumbnail pointer makes no sense, it reads no further. Longer blocks than
  /// `libexifLimit` it would only see the head of, so it isn't asked about them.
  case libexif
  /// Sees blocks of any length and every directory, maker notes' too. Not BigTIFF.
  case exiv2

  static let libexifLimit = 0xFFFE - 6
}

/// What a C library read in an EXIF block.
package struct EXIFReading: Hashable, Sendable {
  let order: Bytes.Order
  /// By directory, then as they stand in the file.
  let entries: [EXIFEntry]
}

/// Where an EXIF block lies: its TIFF header and everything behind it that belongs to it.
package struct EXIFBlock: Sendable {
  /// Open for reading; the caller keeps it open during the call.
  let descriptor: CInt
  /// In bytes from the start of the file. For a TIFF file, the whole file.
  let range: Range<Int>
}
