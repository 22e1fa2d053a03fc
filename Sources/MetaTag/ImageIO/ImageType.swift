/// A format, told by content and never by the name's extension.
public enum ImageType: String, Sendable, CaseIterable {
  /// JPEG (ISO/IEC 10918), with JFIF, EXIF, MPF.
  case jpeg
  /// TIFF 6.0.
  case tiff
  /// TIFF with 64-bit offsets.
  case bigTIFF = "bigtiff"
  /// Adobe Digital Negative.
  case dng
  /// HEIF with HEVC coding, as phones write it.
  case heic
  /// HEIF (ISO/IEC 23008-12) with any coding.
  case heif
  /// HEIF with AV1 coding.
  case avif

  /// What users call it.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .tiff: "TIFF"
    case .bigTIFF: "BigTIFF"
    case .dng: "DNG"
    case .heic: "HEIC"
    case .heif: "HEIF"
    case .avif: "AVIF"
    }
  }
}
