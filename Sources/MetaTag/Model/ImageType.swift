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
  /// QuickTime movie.
  case mov
  /// MPEG-4 movie (ISO/IEC 14496-14).
  case mp4
  /// Apple's MPEG-4 movie.
  case m4v
  /// Movie of mobile phones (3GPP TS 26.244, 3GPP2).
  case threeGP = "3gp"
  /// Canon RAW version 3.
  case cr3
  /// HEIF with HEVC coding, as phones write it.
  case heic
  /// HEIF (ISO/IEC 23008-12) with any coding.
  case heif
  /// HEIF with AV1 coding.
  case avif
  /// Portable Network Graphics (ISO/IEC 15948), animated ones too.
  case png
  /// WebP (RFC 9649), animated ones too.
  case webp
  /// JPEG XL (ISO/IEC 18181), in boxes or naked.
  case jxl
  /// GIF, animated ones too.
  case gif
  /// An XMP packet in a file of its own: a sidecar.
  case xmp

  /// What users call it.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .tiff: "TIFF"
    case .bigTIFF: "BigTIFF"
    case .dng: "DNG"
    case .mov: "QuickTime"
    case .mp4: "MP4"
    case .m4v: "M4V"
    case .threeGP: "3GP"
    case .cr3: "CR3"
    case .heic: "HEIC"
    case .heif: "HEIF"
    case .avif: "AVIF"
    case .png: "PNG"
    case .webp: "WebP"
    case .jxl: "JPEG XL"
    case .gif: "GIF"
    case .xmp: "XMP sidecar"
    }
  }
}
