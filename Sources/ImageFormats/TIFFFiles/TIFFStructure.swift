/// Tags that are needed to draw a picture, and those that affect its appearance.
enum TIFFStructure {
  /// Tags of TIFF 6.0, its technical notes and supplements, BigTIFF, TIFF/EP (ISO 12234-2), and libtiff's additions for
  /// its own coders. None of them describes the picture or is a text.
  static let tags: Set<UInt16> = [
    // The role of the picture, its size, and the storage of its samples.
    0x00FE, 0x00FF, 0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0107, 0x0108, 0x0109, 0x010A, 0x0115, 0x011C, 0x0129,
    0x013D, 0x0152, 0x0153, 0x015A,
    // The positions of strips, tiles and further pictures.
    0x0111, 0x0116, 0x0117, 0x0142, 0x0143, 0x0144, 0x0145, 0x014A,
    // Orientation, and size on paper.
    0x0112, 0x011A, 0x011B, 0x011E, 0x011F, 0x0128,
    // Colours.
    0x0118, 0x0119, 0x0122, 0x0123, 0x012D, 0x013E, 0x013F, 0x0140, 0x0141, 0x014C, 0x014E, 0x0150, 0x0154, 0x0155,
    0x0156,
    0x0211, 0x0212, 0x0213, 0x0214, 0x8773, 0x828D, 0x828E,
    // Data for fax and JPEG decoders.
    0x0124, 0x0125, 0x015B, 0x0200, 0x0201, 0x0202, 0x0203, 0x0205, 0x0206, 0x0207, 0x0208, 0x0209,
    // Matteing, data type and depth of Silicon Graphics, the unit of LogLuv, the parameters of LERC.
    0x80E3, 0x80E4, 0x80E5, 0x80E6, 0x923F, 0xC5F2,
  ]

  /// Coders whose data holds only samples: none, fax, LZW, deflate, PackBits, NeXT, ThunderScan, JBIG, LogLuv, LERC,
  /// LZMA, Zstandard.
  static let plainCoders: Set<Int> = [
    1, 2, 3, 4, 5, 8, 32_766, 32_771, 32_773, 32_809, 32_946, 34_661, 34_676, 34_677, 34_887, 34_925, 50_000,
  ]
  /// Old JPEG's tags with tables, as lists of offsets without lengths.
  static let jpegTableOffsets: [UInt16] = [0x0207, 0x0208, 0x0209]
  /// The coders of JPEG, old and new, whose data has segments like a JPEG file.
  static let jpegCoders: Set<Int> = [6, 7]
}
